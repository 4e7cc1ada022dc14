"""The arrows between the apps, held by foreign keys and migrations too (imports: import-linter, in pyproject.toml)."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.core.checks import Error, register

# From the top: what stands in a row knows what stands below it, and not its neighbour.
ROWS = (
    ("exports",),
    ("adjudication",),
    ("annotate",),
    ("suggestions",),
    ("traces", "taxonomy"),
    ("people", "jobs"),
)
USER_APP = "people"
ROW_OF = {app: row for row, apps in enumerate(ROWS) for app in apps}


def may_know(app: str, other: str) -> bool:
    """Libraries may be known by all; they are no part of the house."""
    if app not in ROW_OF or other not in ROW_OF or app == other:
        return True
    return ROW_OF[app] < ROW_OF[other]


def wrong_relations(models: Iterable[Any]) -> Iterator[Error]:
    for model in models:
        for field in model._meta.get_fields(include_hidden=True):
            if field.auto_created or not field.is_relation or field.related_model is None:
                continue
            app, other = model._meta.app_label, field.related_model._meta.app_label
            if not may_know(app, other):
                yield Error(
                    f"{model._meta.label}.{field.name} points to {other}, which does not stand below it.",
                    obj=model,
                    id="assay.E001",
                )


def wrong_dependencies(migrations: Iterable) -> Iterator[Error]:
    for migration in migrations:
        for other, _ in (*migration.dependencies, *migration.run_before):
            other = USER_APP if other == "__setting__" else other
            if not may_know(migration.app_label, other):
                yield Error(f"{migration} depends on {other}, which does not stand below it.", id="assay.E002")


def fresh_migrations(app: str) -> list:
    """What makemigrations would write for `app` alone, had it no history, on top of the apps it may know."""
    from django.apps import apps
    from django.db.migrations.autodetector import MigrationAutodetector
    from django.db.migrations.graph import MigrationGraph
    from django.db.migrations.questioner import NonInteractiveMigrationQuestioner
    from django.db.migrations.state import ProjectState

    before, after = ProjectState(), ProjectState()
    for (label, _), model in ProjectState.from_apps(apps).models.items():
        if label != app and may_know(app, label):
            before.add_model(model.clone())
        if may_know(app, label):
            after.add_model(model.clone())
    questioner = NonInteractiveMigrationQuestioner(specified_apps={app})
    return MigrationAutodetector(before, after, questioner).changes(MigrationGraph()).get(app, [])


def check_relations(app_configs=None, **_options) -> list[Error]:
    from django.apps import apps

    return list(wrong_relations(apps.get_models(include_auto_created=True)))


def check_migrations(app_configs=None, **_options) -> list[Error]:
    from django.db.migrations.loader import MigrationLoader

    written = MigrationLoader(None, ignore_no_migrations=True).disk_migrations.values()
    return [*wrong_dependencies(written), *(error for app in ROW_OF for error in check_fresh(app))]


def check_fresh(app: str) -> list[Error]:
    try:
        fresh = fresh_migrations(app)
    except (ValueError, LookupError) as error:
        return [Error(f"A fresh makemigrations of {app} does not work: {error}", id="assay.E003")]
    return list(wrong_dependencies(fresh))


def register_checks() -> None:
    """Relations are looked at by every command; migrations by `check --deploy --tag arrows`, as bin/check runs it."""
    register(check_relations, "arrows")
    register(check_migrations, "arrows", deploy=True)
