import pytest
from django.db import migrations, models
from django.test.utils import isolate_apps

from config import arrows


def model(name: str, app: str, **fields) -> type[models.Model]:
    meta = type("Meta", (), {"app_label": app})
    return type(name, (models.Model,), {"__module__": __name__, "Meta": meta, **fields})


@pytest.mark.parametrize(
    ("app", "other", "allowed"),
    [
        ("exports", "people", True),
        ("annotate", "annotate", True),
        ("annotate", "auth", True),
        ("suggestions", "traces", True),
        ("people", "annotate", False),
        ("traces", "taxonomy", False),
        ("people", "jobs", False),
    ],
)
def test_an_app_knows_only_what_stands_below_it(app, other, allowed):
    assert arrows.may_know(app, other) is allowed


@isolate_apps("annotate", "traces")
def test_a_foreign_key_pointing_up_is_found():
    item = model("Item", "annotate")
    trajectory = model("Trajectory", "traces", item=models.ForeignKey(item, models.CASCADE))
    [error] = arrows.wrong_relations([item, trajectory])
    assert (error.id, error.msg) == (
        "assay.E001",
        "traces.Trajectory.item points to annotate, which does not stand below it.",
    )


@isolate_apps("annotate", "traces")
def test_a_many_to_many_pointing_up_is_found_and_one_pointing_down_is_not():
    trajectory = model("Trajectory", "traces")
    item = model("Item", "annotate", trajectories=models.ManyToManyField(trajectory))
    assert list(arrows.wrong_relations([item, trajectory, item.trajectories.through])) == []
    up = model("Dataset", "traces", items=models.ManyToManyField(item))
    assert [error.id for error in arrows.wrong_relations([up])] == ["assay.E001"]


def migration(app: str, **attributes):
    return type("Migration", (migrations.Migration,), attributes)("0001_initial", app)


def test_a_migration_depending_on_an_app_above_is_found():
    wrong = migration("traces", dependencies=[("people", "0001_initial"), ("annotate", "0001_initial")])
    [error] = arrows.wrong_dependencies([wrong])
    assert (error.id, error.msg) == (
        "assay.E002",
        "traces.0001_initial depends on annotate, which does not stand below it.",
    )


def test_a_migration_that_wants_to_run_before_an_app_above_is_found():
    wrong = migration("traces", run_before=[("exports", "0001_initial")])
    assert [error.id for error in arrows.wrong_dependencies([wrong])] == ["assay.E002"]


def test_the_swappable_user_counts_as_people():
    wrong = migration("jobs", dependencies=[("__setting__", "AUTH_USER_MODEL")])
    assert [error.msg for error in arrows.wrong_dependencies([wrong])] == [
        "jobs.0001_initial depends on people, which does not stand below it."
    ]


@pytest.mark.parametrize("app", arrows.ROW_OF)
def test_a_fresh_makemigrations_of_each_app_works_alone_and_keeps_the_arrows(app):
    assert arrows.check_fresh(app) == []
    assert arrows.fresh_migrations(app)


def test_the_house_keeps_its_arrows():
    assert arrows.check_relations() == []
    assert arrows.check_migrations() == []
