from django.contrib.auth.views import LogoutView
from django.urls import path

from annotate.views import closing, home, jobs, members, memos, reveal, run, session, spend, suggested, workbench
from annotate.views.codebook.urls import urlpatterns as codebook_urls

urlpatterns = [
    path("", home.home, name="home"),
    path("login/", session.login, name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("jobs/", jobs.jobs, name="jobs"),
    path("jobs/<int:job_id>/cancel/", jobs.cancel_job, name="cancel_job"),
    path("projects/<slug:slug>/jobs/", jobs.jobs, name="project_jobs"),
    path("projects/<slug:slug>/members/", members.members, name="members"),
    path("projects/<slug:slug>/members/<int:membership_id>/", members.take_role, name="take_role"),
    path("projects/<slug:slug>/close", closing.close_project, name="close_project"),
    path("projects/<slug:slug>/open", closing.open_project, name="open_project"),
    path("projects/<slug:slug>/reveal/", reveal.reveal, name="reveal"),
    path("projects/<slug:slug>/models/", spend.spend, name="spend"),
    path("projects/<slug:slug>/mine/", home.my_runs, name="my_runs"),
    path("projects/<slug:slug>/memos/", memos.memos, name="memos"),
    path("memos/<int:memo_id>/answer", memos.answer_memo, name="answer_memo"),
    path("projects/<slug:slug>/next", workbench.next_item, name="next_item"),
    path("items/<int:item_id>/", workbench.workbench, name="workbench"),
    path("items/<int:item_id>/state", workbench.item_state, name="item_state"),
    path("items/<int:item_id>/operations", workbench.operations, name="operations"),
    path("items/<int:item_id>/heartbeat", workbench.heartbeat, name="heartbeat"),
    path("items/<int:item_id>/skip", workbench.skip_item, name="skip_item"),
    path("items/<int:item_id>/codes", workbench.item_codes, name="item_codes"),
    path("items/<int:item_id>/suggestions", suggested.item_suggestions, name="item_suggestions"),
    path("items/<int:item_id>/memos", memos.item_memos, name="item_memos"),
    path("items/<int:item_id>/steps", run.item_steps, name="item_steps"),
    path("items/<int:item_id>/blocks/<int:step>/<int:block>", run.item_block, name="item_block"),
    path("items/<int:item_id>/images/<int:step>/<int:block>", run.item_image, name="item_image"),
    path("items/<int:item_id>/search", run.item_search, name="item_search"),
    path("items/<int:item_id>/layers", run.item_layers, name="item_layers"),
    *codebook_urls,
]
