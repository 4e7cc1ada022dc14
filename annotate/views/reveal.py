from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render

from annotate.actions import ArmsWouldMix, set_reveal
from annotate.actions.reveal import begun
from annotate.models import Project
from annotate.policy import require

RULES = {
    "never": ("Never", "Annotators work without them. Adjudicators can open them on a case, which is noted."),
    "after_phase_1": (
        "After phase 1",
        "An annotator can ask for them once she has marked what she found by herself; what she marked until then is kept.",
    ),
    "always": ("Always", "They stand beside the run from the start. What is submitted then counts as assisted."),
    "randomised": ("By lot", "Some see them from the start, others never; both are compared under Suggestion arms."),
}
UNITS = {
    "trajectory": ("A run", "All annotators of a run are in one arm, so that their agreement can be compared."),
    "assignment": ("Each annotator of a run", "Single choices can be compared, agreement on few runs only."),
}


class RevealForm(forms.Form):
    reveal = forms.ChoiceField(choices=[(name, words) for name, (words, _) in RULES.items()])
    unit = forms.ChoiceField(choices=[(name, words) for name, (words, _) in UNITS.items()])
    share = forms.IntegerField(min_value=1, max_value=99)


@login_required
def reveal(request, slug):
    """When annotators see suggestions; leads choose."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "set reveal rule", project)
    kept = {"reveal": project.reveal, "unit": project.reveal_unit, "share": project.reveal_share}
    form = RevealForm(request.POST if request.method == "POST" else None, initial=kept)
    if form.is_bound and form.is_valid():
        try:
            set_reveal(project=project, by=request.user, **form.cleaned_data)
        except ArmsWouldMix as error:
            form.add_error(None, f"Not changed: {error}.")
        else:
            messages.success(request, "Saved. The rule holds from now on.")
            return redirect("reveal", project.slug)
    context = {
        "project": project,
        "form": form,
        "rules": RULES,
        "units": UNITS,
        "begun": begun(project).count(),
        "is_fixed": project.reveal == Project.Reveal.RANDOMISED and begun(project).exists(),
    }
    return render(request, "annotate/reveal.html", context, status=422 if form.errors else 200)
