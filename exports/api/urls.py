from django.urls import path, re_path

from exports.api import schema, views

__all__ = ["schema", "urlpatterns"]  # importing `schema` tells the OpenAPI document about our tokens

urlpatterns = [
    path("schema", views.Schema.as_view(), name="api-schema"),
    path("projects", views.Projects.as_view(), name="api-projects"),
    path("projects/<slug:slug>", views.ProjectDetail.as_view(), name="api-project"),
    path("projects/<slug:slug>/releases", views.Releases.as_view(), name="api-releases"),
    path("projects/<slug:slug>/releases/<str:name>", views.ReleaseDetail.as_view(), name="api-release"),
    path("projects/<slug:slug>/releases/<str:name>/rows", views.ReleaseRows.as_view(), name="api-release-rows"),
    path("projects/<slug:slug>/export", views.Export.as_view(), name="api-export"),
    path("projects/<slug:slug>/export/summary", views.ExportSummary.as_view(), name="api-export-summary"),
    re_path("", views.Nothing.as_view(), name="api-nothing"),
]
