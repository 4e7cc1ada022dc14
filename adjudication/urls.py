from django.urls import path

from adjudication.views import agreement, arms, batch, cases, items, overview, people, rules, scoreboard, suggested

urlpatterns = [
    path("projects/<slug:slug>/", overview.overview, name="project"),
    path("projects/<slug:slug>/items/", items.items, name="items"),
    path("projects/<slug:slug>/items/<int:item_id>/", items.item, name="item"),
    path("projects/<slug:slug>/rules/", rules.rules, name="rules"),
    path("projects/<slug:slug>/recompute/", overview.recompute, name="recompute"),
    path("projects/<slug:slug>/agreement/", agreement.agreement, name="agreement"),
    path("projects/<slug:slug>/agreement/compute", agreement.compute_agreement, name="compute_agreement"),
    path("projects/<slug:slug>/agreement/items/", agreement.agreement_items, name="agreement_items"),
    path("projects/<slug:slug>/agreement/figures.csv", agreement.agreement_csv, name="agreement_csv"),
    path("projects/<slug:slug>/arms/", arms.arms, name="arms"),
    path("projects/<slug:slug>/scoreboard/", scoreboard.scoreboard, name="scoreboard"),
    path("projects/<slug:slug>/scoreboard/declare", scoreboard.declare, name="declare_contrast"),
    path("projects/<slug:slug>/people/", people.people, name="people"),
    path("projects/<slug:slug>/people/me/", people.my_feedback, name="my_feedback"),
    path("projects/<slug:slug>/people/me/<int:pk>/", people.feedback, name="feedback"),
    path("projects/<slug:slug>/people/me/<int:pk>/open", people.open_case, name="open_feedback"),
    path("projects/<slug:slug>/people/<str:key>/", people.person, name="person"),
    path("projects/<slug:slug>/cases/", cases.cases, name="cases"),
    path("projects/<slug:slug>/cases/together", batch.batch, name="batch"),
    path("projects/<slug:slug>/cases/next", cases.next_case, name="next_case"),
    path("cases/<int:pk>/", cases.case, name="case"),
    path("cases/<int:pk>/rule", cases.rule_case, name="rule"),
    path("cases/<int:pk>/first", cases.first_look, name="first_look"),
    path("cases/<int:pk>/claim", cases.claim, name="claim_case"),
    path("cases/<int:pk>/skip", cases.skip, name="skip_case"),
    path("cases/<int:pk>/draft", cases.draft, name="case_draft"),
    path("cases/<int:pk>/suggestions", suggested.open_case_suggestions, name="case_suggestions"),
    path("cases/<int:pk>/steps", cases.case_steps, name="case_steps"),
]
