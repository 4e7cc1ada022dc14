"""What every API view shares: errors with their facts, allow-listed parameters, ETags, gzip, no public cache."""

from collections.abc import Mapping

from django.core.exceptions import RequestDataTooBig
from django.core.exceptions import ValidationError as BadValue
from django.db import DataError
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.decorators import method_decorator
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page
from rest_framework.exceptions import APIException, NotFound, ParseError, PermissionDenied, ValidationError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.pagination import CursorPagination
from rest_framework.parsers import JSONParser
from rest_framework.utils.mediatypes import media_type_matches
from rest_framework.views import APIView

from annotate.models import Project
from annotate.policy import Forbidden
from exports import errors

ANYTHING = None
NUL = "\0"  # no text of the database holds it
NOTHING = "There is nothing here."


class Taken(APIException):
    status_code = 409
    default_code = "taken"


class TooLarge(APIException):
    status_code = 413
    default_code = "too_large"
    default_detail = "the body is too large"


class Json(JSONParser):
    def parse(self, stream, media_type=None, parser_context=None):
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError("JSON parse error - nested too deeply") from error


class OneRenderer(BaseContentNegotiation):
    """Every address has one form: neither Accept nor `?format=` chooses a renderer."""

    def select_parser(self, request, parsers):
        sent = request.content_type
        return next((parser for parser in parsers if media_type_matches(parser.media_type, sent)), None)

    def select_renderer(self, request, renderers, format_suffix=None):
        return renderers[0], renderers[0].media_type


class Pages(CursorPagination):
    page_size = 50
    ordering = "pk"

    def paginate_queryset(self, queryset, request, view=None):
        """A cursor is whatever the caller sends: its position may be no value of the column it is compared with."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (BadValue, DataError, ValueError) as error:
            raise NotFound(self.invalid_cursor_message) from error


@method_decorator([gzip_page, conditional_page], name="dispatch")
class View(APIView):
    content_negotiation_class = OneRenderer
    parser_classes = [Json]
    # Parameters and their values; ANYTHING where the view looks at the value itself. Others are refused.
    parameters: Mapping[str, frozenset[str] | None] = {}

    def initial(self, request, *args, **kwargs):
        super().initial(request, *args, **kwargs)
        if any(NUL in value for value in kwargs.values()):
            raise NotFound(NOTHING)
        for name, value in request.query_params.items():
            if name not in self.parameters:
                known = ", ".join(sorted(self.parameters)) or "none"
                raise ValidationError({name: [f"this address takes no such parameter; it takes {known}"]})
            if NUL in value:
                raise ValidationError({name: ["Null characters are not allowed."]})
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
        return NotFound(NOTHING)
    if isinstance(exc, Forbidden):
        return PermissionDenied(str(exc))
    if isinstance(exc, RequestDataTooBig):
        return TooLarge()
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
