"""Suggestions on the page of a case: closed until somebody asks for them, and then recorded."""

from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from adjudication.models import Case
from annotate.actions import open_suggestions


@login_required
@require_POST
def open_case_suggestions(request, pk):
    """Not before the adjudicator has judged a case that she is to judge first."""
    cases = Case.objects.visible_to(request.user).exclude(pk__in=Case.objects.closed_to(request.user))
    case = get_object_or_404(cases.select_related("item__project__taxonomy_version", "item__trajectory"), pk=pk)
    open_suggestions(item=case.item, user=request.user)
    return redirect(f"{reverse('case', args=[case.pk])}#suggestions")
