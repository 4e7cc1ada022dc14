import hashlib

from django.db.models import Prefetch
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.filters import OrderingFilter
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from annotate.models import Membership, Project
from annotate.policy import require
from exports.actions import create_release
from exports.api.base import ANYTHING, NOTHING, Pages, View
from exports.api.serializers import (
    NewReleaseSerializer,
    ProjectSerializer,
    ReleaseDetailSerializer,
    ReleaseSerializer,
    SummarySerializer,
)
from exports.downloads import built, download, labelled
from exports.formats import WRITERS
from exports.formats.jsonl import JsonLines
from exports.labels import GOLD
from exports.models import Release
from exports.releases import chunks, manifest_for, project_for, release_for, rows_for
from exports.selection import Selection, select

ORDERS = ("at", "name")


class ProjectViews:
    serializer_class = ProjectSerializer
    lookup_field = lookup_url_kwarg = "slug"

    def get_queryset(self):
        own = Membership.objects.filter(user_id=self.request.user.pk)
        projects = Project.objects.visible_to(self.request.user)
        return projects.select_related("dataset", "taxonomy_version__taxonomy").prefetch_related(
            Prefetch("memberships", own, to_attr="own_memberships")
        )


class Projects(ProjectViews, View, ListAPIView):
    """The projects you are a member of."""

    pagination_class = Pages
    parameters = {"cursor": ANYTHING}


class ProjectDetail(ProjectViews, View, RetrieveAPIView):
    """A project you are a member of."""


class Releases(View, ListAPIView):
    """The releases of a project, newest first; a POST with a write token freezes a new one."""

    serializer_class = ReleaseSerializer
    pagination_class = Pages
    filter_backends = [OrderingFilter]
    ordering_fields = ORDERS
    ordering = ["-at"]
    parameters = {"cursor": ANYTHING, "ordering": frozenset([*ORDERS, *(f"-{name}" for name in ORDERS)])}

    def get_queryset(self):
        project = project_for(self.request.user, self.kwargs["slug"])
        require(self.request.user, "see releases", project)
        return Release.objects.filter(project=project).select_related("project").defer("manifest")

    @extend_schema(request=NewReleaseSerializer, responses={201: ReleaseSerializer})
    def post(self, request, slug):
        project = project_for(request.user, slug)
        require(request.user, "release", project)
        given = NewReleaseSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        release = create_release(project=project, name=given.validated_data["name"], by=request.user)
        return Response(ReleaseSerializer(release).data, status=201)


class ReleaseDetail(View):
    """A release with its manifest: protocol, taxonomy, agreement as of then, counts by basis, what was left out."""

    @extend_schema(responses=ReleaseDetailSerializer)
    def get(self, request, slug, name):
        release = release_for(request.user, slug, name)
        context = {"manifest": manifest_for(request.user, release)}
        return Response(ReleaseDetailSerializer(release, context=context).data)


class ReleaseRows(View):
    """The released rows, one JSON object per line, byte for byte as released."""

    @extend_schema(responses={(200, JsonLines.media_type): OpenApiTypes.STR})
    def get(self, request, slug, name):
        content, left_out = rows_for(request.user, release_for(request.user, slug, name))
        response = StreamingHttpResponse(chunks(content), content_type=JsonLines.media_type)
        response.headers["Content-Length"] = str(len(content))
        return labelled(response, hashlib.sha256(content).hexdigest(), left_out)


SELECTION = [
    OpenApiParameter("format", str, required=True, enum=[writer.name for writer in WRITERS]),
    OpenApiParameter("labels", str, description="gold (default) or annotator:NAME"),
    OpenApiParameter("release", str, description="a release's name, instead of labels"),
    OpenApiParameter("taxonomy_version", int, description="whose categories are written; the project's by default"),
    OpenApiParameter("raw_names", str, enum=["true", "false"], description="category names as the labels came with"),
]
AS = OpenApiParameter("as", str, enum=["zip", "ndjson"], description="how a format of many files comes; zip by default")


def number_in(text: str) -> int | None:
    if text and not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise ValidationError({"taxonomy_version": ["expected the number of a version"]})
    return int(text) if text else None


class ExportViews(View):
    flags = frozenset({"true", "false"})
    parameters = {"format": ANYTHING, "labels": ANYTHING, "release": ANYTHING, "raw_names": flags}
    parameters |= {"taxonomy_version": ANYTHING}

    def chosen(self, request, slug) -> Selection:
        wanted = request.query_params
        return select(
            project_for(request.user, slug),
            format=wanted.get("format", ""),
            labels=wanted.get("labels") or GOLD,
            release=wanted.get("release", ""),
            raw_names=wanted.get("raw_names") == "true",
            version=number_in(wanted.get("taxonomy_version", "")),
            user=request.user,
        )


class Export(ExportViews):
    """Labels in a benchmark's format. `Assay-Left-Out` counts the runs that are not in it; the summary says why."""

    parameters = {**ExportViews.parameters, "as": frozenset({"zip", "ndjson"})}

    @extend_schema(parameters=[*SELECTION, AS], responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request, slug):
        return download(self.chosen(request, slug), slug, as_ndjson=request.query_params.get("as") == "ndjson")


class ExportSummary(ExportViews):
    """What an export holds and what was left out of it, with the reason; the hash is that of its file."""

    @extend_schema(parameters=SELECTION, responses=SummarySerializer)
    def get(self, request, slug):
        out, tally = built(self.chosen(request, slug))
        out.close()
        return Response(tally.as_json())


class Schema(View, SpectacularJSONAPIView):
    """This API as an OpenAPI document."""

    permission_classes = [IsAuthenticated]


class Nothing(View):
    """Every other address below the API's."""

    schema = None

    def initial(self, request, *args, **kwargs):
        super(View, self).initial(request, *args, **kwargs)  # parameters do not matter where nothing is
        raise NotFound(NOTHING)
