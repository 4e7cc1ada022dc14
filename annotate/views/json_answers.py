"""How the workbench's endpoints answer: always JSON, with a code the browser's queue acts on and words for people."""

import json
from functools import wraps

from django.http import Http404, HttpRequest, JsonResponse
from django.urls import reverse

from annotate.errors import Conflict, NotAccepted
from annotate.operations import Refused

STATUS = {"not_yours": 403}


class Malformed(Exception):
    def __init__(self, message: str, field: str = ""):
        super().__init__(message)
        self.message, self.field = message, field


def refusal(status: int, error: str, message: str, **facts) -> JsonResponse:
    return JsonResponse({"error": error, "message": message, **facts}, status=status)


def answers_json(view):
    """Logged out is a 401 the browser can tell from everything else; what is turned down says why."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args, **kwargs):
        if not request.user.is_authenticated:
            message = "You are logged out. Log in in another tab; your text is kept here and sent afterwards."
            return refusal(401, "log_in", message, login=reverse("login"))
        try:
            return view(request, *args, **kwargs)
        except Http404:
            return refusal(404, "not_found", "There is nothing here for you.")
        except (Refused, Malformed) as error:
            return refusal(422, "refused", error.message, field=error.field)
        except Conflict:
            raise  # its answer needs the state, which only the view knows
        except NotAccepted as error:
            return refusal(STATUS.get(error.code, 409), error.code, error.message, **error.facts)

    return wrapped


def body_of(request: HttpRequest) -> dict:
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise Malformed("expected a JSON object", "body") from error
    if not isinstance(body, dict):
        raise Malformed("expected a JSON object", "body")
    return body


def whole_number(body: dict, name: str) -> int:
    value = body.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Malformed("expected a whole number", name)
    return value
