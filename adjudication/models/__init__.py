from adjudication.models.cases import Case, FirstLook, Ruling
from adjudication.models.contrasts import DeclaredContrast
from adjudication.models.figures import AgreementFigures, FilteredFigures, KeptComparisons, Routing
from adjudication.models.gold import GoldLabel

__all__ = [
    "AgreementFigures",
    "Case",
    "DeclaredContrast",
    "FilteredFigures",
    "FirstLook",
    "GoldLabel",
    "KeptComparisons",
    "Routing",
    "Ruling",
]
