import json

from django.contrib.auth.decorators import login_required
from django.db import connection, transaction
from django.http import JsonResponse
from django.urls import include, path
from django.views.decorators.http import require_POST


@login_required
@require_POST
def bare(request, annotation_id, failure):
    """Log-in, three statements, one commit: the rows a changed reason writes, and nothing of what makes them right."""
    body = json.loads(request.body)
    fields = json.dumps(body["payload"]["fields"])
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE annotate_annotation SET revision = revision + 1 WHERE id = %s RETURNING revision", [annotation_id]
        )
        (revision,) = cursor.fetchone()
        cursor.execute(
            "INSERT INTO annotate_revision (annotation_id, number, key, op, payload, patch, inverse, by_id, at)"
            " VALUES (%s, %s, %s, 'change', %s, %s, %s, %s, now())",
            [annotation_id, revision, body["key"], fields, fields, fields, request.user.pk],
        )
        cursor.execute(
            "UPDATE annotate_failure SET step_reason = %s WHERE annotation_id = %s AND key = %s",
            [body["payload"]["fields"]["step_reason"], annotation_id, failure],
        )
    return JsonResponse({"revision": revision})


urlpatterns = [path("bare/<int:annotation_id>/<str:failure>", bare), path("", include("config.urls"))]
