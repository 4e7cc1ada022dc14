from django.urls import path

from adjudication.views import items, overview

urlpatterns = [
    path("projects/<slug:slug>/", overview.overview, name="project"),
    path("projects/<slug:slug>/items/", items.items, name="items"),
    path("projects/<slug:slug>/recompute/", overview.recompute, name="recompute"),
]
