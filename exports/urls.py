from django.urls import include, path

from exports import views

urlpatterns = [
    path("api/v1/", include("exports.api.urls")),
    path("projects/<slug:slug>/releases/", views.releases, name="releases"),
    path("projects/<slug:slug>/releases/<str:name>/download", views.download_release, name="download_release"),
    path("projects/<slug:slug>/gold/download", views.download_gold, name="download_gold"),
]
