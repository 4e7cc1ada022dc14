"""The rules of routing as a form; empty or usual values are left out of what the project keeps."""

from django import forms

from adjudication.actions import Setting
from adjudication.differences import WORDS
from adjudication.routing import Rules

USUAL = Rules()
PERCENT = ("min_confidence", "check_share", "judge_first_share")


class RulesForm(forms.Form):
    tolerance = forms.IntegerField(min_value=0, max_value=10_000)
    kinds = forms.MultipleChoiceField(choices=list(WORDS.items()), required=False)
    majority = forms.BooleanField(required=False)
    overlap = forms.IntegerField(min_value=1, max_value=50)
    max_people = forms.IntegerField(min_value=1, max_value=50, required=False)
    min_confidence = forms.IntegerField(min_value=0, max_value=100)
    check_share = forms.IntegerField(min_value=0, max_value=100)
    judge_first_share = forms.IntegerField(min_value=0, max_value=100)
    takes_definitions_as_one = forms.BooleanField(required=False)
    single_is_gold = forms.BooleanField(required=False)

    def clean(self):
        given = super().clean()
        most, least = given.get("max_people"), given.get("overlap")
        if most and least and most < least:
            self.add_error("max_people", f"at least the {least} people that are planned, or empty")
        return given

    def setting(self) -> Setting:
        given = dict(self.cleaned_data)
        overlap = given.pop("overlap")
        gold = {name: given.pop(name) for name in ("takes_definitions_as_one", "single_is_gold")}
        given |= {name: given[name] / 100 for name in PERCENT}
        given["kinds"] = sorted(given["kinds"])
        usual = {**vars_of(USUAL), "kinds": sorted(USUAL.kinds)}
        return Setting({name: value for name, value in given.items() if value != usual[name]}, overlap, **gold)


def vars_of(rules: Rules) -> dict:
    return {name: getattr(rules, name) for name in Rules.__slots__}


def fields_of(setting: Setting) -> dict:
    """What the form shows of a setting."""
    rules = {**vars_of(USUAL), **setting.rules}
    shown = {name: rules[name] for name in ("tolerance", "majority", "max_people")}
    shown |= {name: round(rules[name] * 100) for name in PERCENT}
    return {
        **shown,
        "kinds": sorted(rules["kinds"]),
        "overlap": setting.overlap,
        "takes_definitions_as_one": setting.takes_definitions_as_one,
        "single_is_gold": setting.single_is_gold,
    }
