from django.urls import path

from annotate.views.codebook import board, card, exchange, proposals, recoding, split, statistics, versions

AT = "projects/<slug:slug>/codebook/"
urlpatterns = [
    path(AT, board.codebook, name="codebook"),
    path(f"{AT}act", board.codebook_act, name="codebook_act"),
    path(f"{AT}history/", board.codebook_history, name="codebook_history"),
    path(f"{AT}cards/<str:node>/", card.codebook_card, name="codebook_card"),
    path(f"{AT}cards/<str:node>/memo", card.codebook_note, name="codebook_note"),
    path(f"{AT}cards/<str:node>/example", card.codebook_example, name="codebook_example"),
    path(f"{AT}cards/<str:node>/split", split.codebook_split, name="codebook_split"),
    path(f"{AT}split", split.codebook_split_chosen, name="codebook_split_chosen"),
    path(f"{AT}proposals/", proposals.codebook_proposals, name="codebook_proposals"),
    path(f"{AT}proposals/compare", proposals.codebook_cluster, name="codebook_cluster"),
    path(f"{AT}proposals/name", proposals.codebook_name, name="codebook_name"),
    path(f"{AT}proposals/<int:proposal_id>/answer", proposals.codebook_answer, name="codebook_answer"),
    path(f"{AT}proposals/<int:proposal_id>/memo", proposals.codebook_discuss, name="codebook_discuss"),
    path(f"{AT}versions/", versions.codebook_versions, name="codebook_versions"),
    path(f"{AT}versions/<int:number>/", versions.codebook_version, name="codebook_version"),
    path(f"{AT}versions/<int:number>/adopt", versions.codebook_adopt, name="codebook_adopt"),
    path(f"{AT}recode/", recoding.codebook_recode, name="codebook_recode"),
    path(f"{AT}statistics/", statistics.codebook_statistics, name="codebook_statistics"),
    path(f"{AT}print/", exchange.codebook_print, name="codebook_print"),
    path(f"{AT}import", exchange.codebook_import, name="codebook_import"),
    path(f"{AT}file/<str:format>", exchange.codebook_file, name="codebook_file"),
]
