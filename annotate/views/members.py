from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render

from annotate.actions import add_member
from annotate.models import Membership, Project
from annotate.policy import require
from people.models import User


class MemberForm(forms.Form):
    username = forms.CharField(max_length=150)
    role = forms.ChoiceField(choices=[(role, role) for role in Membership.Role.values])

    def clean_username(self):
        name = self.cleaned_data["username"].strip()
        user = User.objects.people().called(name).filter(is_active=True).first()
        if user is None:
            raise forms.ValidationError("No person has this user name. Whoever runs this server makes accounts.")
        self.cleaned_data["user"] = user
        return name


@login_required
def members(request, slug):
    """Who is in the project, in which roles; leads add people."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "manage members", project)
    form = MemberForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user, role = form.cleaned_data["user"], form.cleaned_data["role"]
        add_member(project=project, user=user, role=role, by=request.user)
        messages.success(request, f"{user.username} is now {role} here.")
        return redirect("members", project.slug)
    memberships = project.memberships.select_related("user").order_by("user__username", "role")
    context = {"project": project, "form": form, "memberships": memberships, "roles": Membership.Role.values}
    return render(request, "annotate/members.html", context, status=422 if form.errors else 200)
