"""What every API view shares: errors with their facts, allow-listed parameters, ETags, gzip, no public cache."""

from collections.abc import Mapping

from django.core.exceptions import ValidationError as InvalidValue
from django.db import DataError
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.decorators import method_decorator
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page
from rest_framework.exceptions import APIException, NotFound, PermissionDenied, ValidationError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.pagination import CursorPagination
from rest_framework.views import APIView

from annotate.models import Project
from annotate.policy import Forbidden
from exports import errors

ANYTHING = None


class Taken(APIException):
    status_code = 409
    default_code = "taken"


class OneRenderer(BaseContentNegotiation):
    """Every address has one form: neither Accept nor `?format=` chooses a renderer."""

    def select_parser(self, request, parsers):
        return next((parser for parser in parsers if parser.media_type == request.content_type), None)

    def select_renderer(self, request, renderers, format_suffix=None):
        return renderers[0], renderers[0].media_type


class Pages(CursorPagination):
    page_size = 50
    ordering = "pk"

    def paginate_queryset(self, queryset, request, view=None):
        """A cursor that was made up may name a place that no row of this order can have."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, InvalidValue, DataError) as error:
            raise NotFound(self.invalid_cursor_message) from error


@method_decorator([gzip_page, conditional_page], name="dispatch")
class View(APIView):
    content_negotiation_class = OneRenderer
    # Parameters and their values; ANYTHING where the view looks at the value itself. Others are refused.
    parameters: Mapping[str, frozenset[str] | None] = {}

    def initial(self, request, *args, **kwargs):
        super().initial(request, *args, **kwargs)
        for name, value in request.query_params.items():
            if name not in self.parameters:
                known = ", ".join(sorted(self.parameters)) or "none"
                raise ValidationError({name: [f"this address takes no such parameter; it takes {known}"]})
            allowed = self.parameters[name]
            if allowed is not ANYTHING and value not in allowed:
                raise ValidationError({name: [f"expected one of {', '.join(sorted(allowed))}"]})

    def handle_exception(self, exc):
        return super().handle_exception(answer_to(exc))

    def finalize_response(self, request, response, *args, **kwargs):
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Authorization"])
        return response


def answer_to(exc: Exception) -> Exception:
    if isinstance(exc, Project.DoesNotExist):
        return NotFound("There is nothing here.")
    if isinstance(exc, Forbidden):
        return PermissionDenied(str(exc))
    if isinstance(exc, errors.UnknownRelease | errors.UnknownAnnotator):
        return NotFound(str(exc))
    if isinstance(exc, errors.UnknownFormat):
        return ValidationError({"format": [str(exc)]})
    if isinstance(exc, errors.UnknownVersion | errors.ReleaseKeepsItsVersion):
        return ValidationError({"taxonomy_version": [str(exc)]})
    if isinstance(exc, errors.UnknownLabels):
        return ValidationError({"labels": [str(exc)]})
    if isinstance(exc, errors.BadName | errors.NothingToRelease):
        return ValidationError({"name": [str(exc)]})
    if isinstance(exc, errors.NameTaken):
        return Taken(str(exc))
    return exc
