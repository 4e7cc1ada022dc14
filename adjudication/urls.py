from django.urls import path

from adjudication.views import cases, items, overview

urlpatterns = [
    path("projects/<slug:slug>/", overview.overview, name="project"),
    path("projects/<slug:slug>/items/", items.items, name="items"),
    path("projects/<slug:slug>/recompute/", overview.recompute, name="recompute"),
    path("projects/<slug:slug>/cases/", cases.cases, name="cases"),
    path("projects/<slug:slug>/cases/next", cases.next_case, name="next_case"),
    path("cases/<int:pk>/", cases.case, name="case"),
    path("cases/<int:pk>/rule", cases.rule_case, name="rule"),
    path("cases/<int:pk>/claim", cases.claim, name="claim_case"),
    path("cases/<int:pk>/skip", cases.skip, name="skip_case"),
    path("cases/<int:pk>/draft", cases.draft, name="case_draft"),
    path("cases/<int:pk>/steps", cases.case_steps, name="case_steps"),
]
