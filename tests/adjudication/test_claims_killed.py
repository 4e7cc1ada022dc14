"""Eight adjudicators claim and give back in processes that are killed: no case is ever held twice, and none is lost.

A thousand claims in all; ASSAY_CLAIMS=1000 makes it a thousand of each, which takes minutes.
"""

import os
import random
import signal
import time
import traceback
from pathlib import Path

import pytest
from django.db import connection

from adjudication.actions import claim_next_case, release
from adjudication.models import Case
from annotate.models import Project
from people.models import User
from tests.factories import join, make_project, make_user

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PEOPLE, KILLS = 8, 16
CLAIMS = int(os.environ.get("ASSAY_CLAIMS", "125"))  # of each


class Adjudicator:
    """A process that claims as one person. What it did stands in files, which outlive it."""

    def __init__(self, name: str, folder: Path):
        self.name, self.folder, self.log = name, folder, folder / f"{name}.log"
        self.log.touch()
        self.pid = 0

    @property
    def done(self) -> int:
        return self.log.stat().st_size // 2  # a sign and a line end for each claim

    def start(self) -> None:
        connection.close()
        self.pid = os.fork()
        if self.pid:
            return
        try:
            self.work()
        except BaseException:
            (self.folder / f"{self.name}.failed").write_text(traceback.format_exc())
            os._exit(1)
        os._exit(0)

    def work(self) -> None:
        user, project = User.objects.get(username=self.name), Project.objects.get()
        after, draw = 0, random.Random(f"{self.name}{self.done}")
        with self.log.open("ab", buffering=0) as log:
            while self.done < CLAIMS:
                case = claim_next_case(project=project, by=user, after=after)
                held = self.folder / f"held-{case.pk}"
                self.hold(held)
                log.write(b".\n")
                held.unlink()
                release(case=case, by=user)
                after = case.pk if draw.random() < 0.9 else 0

    def hold(self, held: Path) -> None:
        """Making a file that must not be there is the witness; one's own may be left of a life before."""
        try:
            with held.open("x") as file:
                file.write(self.name)
        except FileExistsError:
            owner = held.read_text()
            if owner not in ("", self.name):
                raise AssertionError(f"{held.name} is held by {owner} and was given to {self.name}") from None

    def is_over(self) -> bool:
        return os.waitpid(self.pid, os.WNOHANG)[0] != 0

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def test_no_claim_is_doubled_and_none_is_lost_while_processes_are_killed(tmp_path):
    project = make_project(runs=40)
    Case.objects.bulk_create(Case(item=item) for item in project.items.all())
    people = [Adjudicator(f"judge-{n}", tmp_path) for n in range(PEOPLE)]
    for each in people:
        join(project, make_user(each.name), "adjudicator")
    running = list(people)
    for each in running:
        each.start()
    killed, draw = 0, random.Random(7)
    try:
        while running:
            time.sleep(0.2)
            running = [each for each in running if not each.is_over()]
            if running and killed < KILLS:
                victim = draw.choice(running)
                victim.kill()
                victim.start()
                killed += 1
    finally:
        for each in running:
            each.kill()

    assert [path.read_text() for path in tmp_path.glob("*.failed")] == []
    assert [each.done >= CLAIMS for each in people] == [True] * PEOPLE
    assert killed == KILLS
    held = set(Case.objects.exclude(held_by=None).values_list("pk", flat=True))
    assert {int(path.name.partition("-")[2]) for path in tmp_path.glob("held-*")} <= held
    # What the dead held is theirs until it runs out; then everything is there to be claimed again.
    Case.objects.exclude(held_by=None).update(held_until="2020-01-01T00:00Z")
    ada, claimed = make_user("ada"), set()
    while (case := claim_next_case(project=project, by=ada, after=max(claimed, default=0))).pk not in claimed:
        claimed.add(case.pk)
    assert claimed == set(Case.objects.open().values_list("pk", flat=True))
    assert len(claimed) == 40
