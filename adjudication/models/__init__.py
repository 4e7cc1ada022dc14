from adjudication.models.cases import Case, Ruling
from adjudication.models.figures import AgreementFigures, Routing
from adjudication.models.gold import GoldLabel

__all__ = ["AgreementFigures", "Case", "GoldLabel", "Routing", "Ruling"]
