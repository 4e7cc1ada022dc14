from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404, redirect, render

from annotate.models import Project
from annotate.policy import require
from jobs.models import Job
from suggestions.llm.actions import ASK_MODEL, ESTIMATE, ask_model, choose, plan_of
from suggestions.llm.plan import TASKS, USUAL
from suggestions.llm.providers import BadModelSettings, ModelSettings, models
from suggestions.llm.spending import budgets, by_purpose, by_run, latest_calls
from suggestions.models import ModelChoice

MOST_RUNS, PAGE = 20, 30
KIND_OF_ACT = {"ask": ASK_MODEL, "estimate": ESTIMATE}


class ModelForm(forms.Form):
    model = forms.ChoiceField()
    tasks = forms.MultipleChoiceField(choices=list(TASKS.items()))
    run = forms.RegexField(r"^[\w.-]*$", max_length=30, required=False)
    act = forms.ChoiceField(choices=[(name, name) for name in ("save", *KIND_OF_ACT)])

    def __init__(self, offered: dict[str, ModelSettings], *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["model"].choices = [(name, name) for name in offered]


@login_required
def spend(request, slug):
    """What models took up in this project and what is left; leads choose what is asked of which model."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "see spend", project)
    offered, fault = offered_models()
    form = ModelForm(offered, request.POST if request.method == "POST" else None)
    if request.method == "POST":
        require(request.user, "ask models", project)
        if form.is_valid():
            carry_out(request, project, form.cleaned_data)
            return redirect("spend", project.slug)
    return render(
        request,
        "annotate/spend.html",
        context_of(request, project, offered, fault, form),
        status=422 if form.errors else 200,
    )


def offered_models() -> tuple[dict[str, ModelSettings], str]:
    """What the deployment offers; a fault in its file is the operator's to mend, and is said."""
    try:
        return models(), ""
    except BadModelSettings as error:
        return {}, str(error)


def carry_out(request, project: Project, wanted: dict) -> None:
    choose(project=project.slug, model=wanted["model"], tasks=wanted["tasks"], by=request.user)
    if wanted["act"] not in KIND_OF_ACT:
        messages.success(request, "Saved.")
        return
    plan = plan_of(
        model=wanted["model"],
        tasks=wanted["tasks"],
        version=project.taxonomy_version,
        project=project.slug,
        run=wanted["run"],
    )
    ask_model(
        kind=KIND_OF_ACT[wanted["act"]],
        dataset=project.dataset,
        plan=plan,
        version=project.taxonomy_version,
        by=request.user.username,
    )
    messages.success(request, "Handed to a worker. The jobs page shows how far it is.")


def context_of(request, project: Project, offered: dict[str, ModelSettings], fault: str, form: ModelForm) -> dict:
    choice = ModelChoice.objects.filter(project=project.slug).first()
    estimate = Job.objects.of_project(project.slug).filter(kind=ESTIMATE, state=Job.State.DONE).order_by("-pk").first()
    asked = Job.objects.of_project(project.slug).filter(kind=ASK_MODEL).order_by("-pk").first()
    return {
        "project": project,
        "form": form,
        "models": list(offered.values()),
        "fault": fault,
        "tasks": TASKS,
        "chosen_model": form["model"].value() or (choice.model if choice else next(iter(offered), "")),
        "chosen_tasks": form["tasks"].value() or (choice.tasks if choice else USUAL),
        "budgets": budgets(list(offered.values())),
        "estimate": estimate,
        "asked": asked,
        "purposes": by_purpose(project.slug),
        "runs": by_run(project.slug)[:MOST_RUNS],
        "page": Paginator(latest_calls(project.slug), PAGE).get_page(request.GET.get("page")),
    }
