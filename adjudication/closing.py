"""What an adjudicator has to judge first is closed to her on every page, not on that of the case alone."""

from adjudication.models import Case
from annotate.closing import closes_items


@closes_items
def to_be_judged_first(user):
    return Case.objects.closed_to(user).values("item")
