from adjudication.models.cases import Case, Ruling
from adjudication.models.figures import AgreementFigures, FilteredFigures, ItemComparison, Routing
from adjudication.models.gold import GoldLabel

__all__ = ["AgreementFigures", "Case", "FilteredFigures", "GoldLabel", "ItemComparison", "Routing", "Ruling"]
