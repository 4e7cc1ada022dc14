import pytest

from tests.chromium import browser, browser_type_launch_args  # noqa: F401  (override those of pytest-playwright)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(servers):
    """The servers start before the first test database is made."""


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup):
    """Who may do what does not rest on Django's permissions: they need not be written anew whenever a test has ended."""
    from django.contrib.contenttypes.management import create_contenttypes
    from django.db.models.signals import post_migrate

    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    post_migrate.disconnect(create_contenttypes)


def pytest_collection_modifyitems(items):
    """What asks the database is asked of a second PostgreSQL too; browsers would only take the time twice."""
    for item in items:
        asks = item.get_closest_marker("django_db") or {"db", "transactional_db"} & set(item.fixturenames)
        if asks and not item.get_closest_marker("browser"):
            item.add_marker("services")


def made():
    """tests.factories, imported once Django is ready."""
    from tests import factories

    return factories


@pytest.fixture
def project(db):
    """One run of four steps, with the whole cast as members."""
    return made().make_project()


@pytest.fixture
def item(project):
    return made().only_item(project)


@pytest.fixture
def eve(db):
    return made().make_user("eve")


def cast(name):
    @pytest.fixture(name=name)
    def member(project):
        return made().make_user(name)

    return member


ann, ben, ada, mia, vic = (cast(name) for name in ("ann", "ben", "ada", "mia", "vic"))
