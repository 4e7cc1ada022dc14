"""Notes beside the judgement of an item, and what the lead answers."""

from django.db import transaction
from django.utils import timezone

from annotate.actions.recording import reopen
from annotate.errors import Conflict, NotYours
from annotate.models import Annotation, Item, ItemMemo
from annotate.operations import Refused
from annotate.queries import own_annotation
from people.actions import audit
from people.models import User
from traces.formats.cleaning import Cleaner

MAX_TEXT = 20_000


@transaction.atomic
def write_memo(
    *, item: Item, by: User, key: str, kind: str, text: str, step: int | None = None, failure: str = ""
) -> ItemMemo:
    """A memo on the run, a step or a mark of one's own. The same key again answers what was written first.

    Raises Refused (something in it is wrong) or NotYours (the run was never given to this person).
    """
    if own_annotation(by, item) is None:
        raise NotYours("you have not been given this run")
    if not isinstance(key, str) or not 1 <= len(key) <= 64 or not key.isprintable():
        raise Refused("every memo needs a key of 1 to 64 printable characters", "key")
    if kind not in ItemMemo.Kind.values:
        raise Refused(f"expected one of {', '.join(ItemMemo.Kind.values)}", "kind")
    if step is not None and not (type(step) is int and 0 <= step < item.trajectory.n_steps):
        raise Refused("expected a step of this run", "step")
    if not isinstance(failure, str) or len(failure) > 64:
        raise Refused("expected the key of a mark", "failure")
    words = {"kind": kind, "step": step, "failure": Cleaner().clean(failure), "text": said(text)}
    memo, _ = ItemMemo.objects.get_or_create(item=item, by=by, key=key, defaults=words)
    return memo


def said(text: str) -> str:
    if not isinstance(text, str) or not text.strip():
        raise Refused("a memo says something", "text")
    if len(text) > MAX_TEXT:
        raise Refused(f"the text is {len(text):,} characters long; at most {MAX_TEXT:,} fit", "text")
    return str(Cleaner().clean(text.strip()))


@transaction.atomic
def answer_memo(*, memo: ItemMemo, by: User, reply: str, opens: bool = False) -> ItemMemo:
    """Close what the lead was told, with a reply its author reads; `opens` opens her annotation again.

    Raises Conflict where it was answered meanwhile, Frozen where the annotation has to stay as it is.
    """
    reply = str(Cleaner().clean(reply.strip()))[:MAX_TEXT]
    memo = ItemMemo.objects.select_for_update().get(pk=memo.pk)
    if memo.closed_at is not None:
        raise Conflict("this was answered already")
    if opens:
        hers = Annotation.objects.current().get(item=memo.item, user=memo.by)
        reopen(annotation=hers, by=by, reason=reply or memo.text)
    memo.reply, memo.closed_at, memo.closed_by = reply, timezone.now(), by
    memo.save(update_fields=["reply", "closed_at", "closed_by"])
    audit("memo answered", memo, by=by, project=memo.item.project.slug)
    return memo
