"""What happens when somebody does something. Each action is one transaction and takes who acts as `by`."""

from adjudication.actions.agree import recompute, recompute_values
from adjudication.actions.claim import claim_case, claim_next_case, keep_draft, next_free, release, undo_draft
from adjudication.actions.errors import CannotRuleAgain, HeldByAnother, NotOpen, RulingRefused
from adjudication.actions.filter import TooFewLeftOut, filter_agreement
from adjudication.actions.first_look import has_to_look_first, look_first
from adjudication.actions.learn import open_feedback
from adjudication.actions.route import Routed, report, route
from adjudication.actions.rule import missing, rule
from adjudication.actions.rule_again import rule_again
from adjudication.actions.rules import Setting, set_rules

__all__ = [
    "CannotRuleAgain",
    "HeldByAnother",
    "NotOpen",
    "Routed",
    "RulingRefused",
    "Setting",
    "TooFewLeftOut",
    "claim_case",
    "claim_next_case",
    "filter_agreement",
    "has_to_look_first",
    "keep_draft",
    "look_first",
    "missing",
    "next_free",
    "open_feedback",
    "recompute",
    "recompute_values",
    "release",
    "report",
    "route",
    "rule",
    "rule_again",
    "set_rules",
    "undo_draft",
]
