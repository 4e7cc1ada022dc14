from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render

from annotate import actions
from annotate.actions.leaving import is_last_lead
from annotate.models import Membership, Project
from annotate.policy import may, require
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
        actions.add_member(project=project, user=user, role=role, by=request.user)
        messages.success(request, f"{user.username} is now {role} here.")
        return redirect("members", project.slug)
    memberships = project.memberships.select_related("user").order_by("user__username", "role")
    context = {"project": project, "form": form, "memberships": memberships, "roles": Membership.Role.values}
    return render(request, "annotate/members.html", context, status=422 if form.errors else 200)


@login_required
def take_role(request, slug, membership_id):
    """Asks before a role is taken from somebody, and takes it. Users that stand for imported labels keep theirs."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "manage members", project)
    of_people = project.memberships.filter(user__in=User.objects.people()).select_related("user")
    membership = get_object_or_404(of_people, pk=membership_id)
    if request.method == "POST":
        return taken(request, project, membership)
    context = {"project": project, "membership": membership, "is_last_lead": is_last_lead(membership)}
    return render(request, "annotate/take_role.html", context)


def taken(request, project: Project, membership: Membership):
    try:
        actions.take_role(membership=membership, by=request.user)
    except actions.LastLead as error:
        messages.warning(request, f"Not done: {error}.")
    else:
        messages.success(request, f"{membership.user.username} is no longer {membership.role} here.")
    return redirect("members", project.slug) if may(request.user, "manage members", project) else redirect("home")
