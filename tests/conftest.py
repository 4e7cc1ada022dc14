import pytest


@pytest.fixture(scope="session")
def django_db_modify_db_settings(servers):
    """The servers start before the first test database is made."""
