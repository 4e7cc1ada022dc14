from django.http import HttpResponse
from django.urls import include, path


def healthz(request):
    return HttpResponse("ok\n", content_type="text/plain")


urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("", include("annotate.urls")),
    path("", include("adjudication.urls")),
    path("", include("exports.urls")),
]
