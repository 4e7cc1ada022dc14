"""A ruling of one's own is opened again."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from adjudication.actions import CannotRuleAgain, RulingRefused, rule_again
from adjudication.case_page import page_of
from adjudication.ruling_draft import RulingDraft
from adjudication.views.case_steps import visible_case
from adjudication.views.cases import show


@login_required
@require_POST
def again(request, pk):
    case = visible_case(request.user, pk)
    try:
        opened = rule_again(case=case, by=request.user, why=request.POST.get("why_again", "").replace("\0", ""))
    except RulingRefused as refused:
        page = page_of(request.user, case)
        return show(request, page, RulingDraft({}, page.alignment), status=422, again_error=refused.errors["why_again"])
    except CannotRuleAgain as error:
        messages.error(request, f"Not opened again: {error}.")
        return redirect("case", case.pk)
    return redirect("case", opened.pk)
