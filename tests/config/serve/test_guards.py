import socket

import pytest

from config.serve.guards import CannotServe, require_free_port
from config.serve.preparation import provide_servers


def test_a_port_in_use_is_a_sentence_with_a_way_out():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=f"Port {port} cannot be used .*: name another one by bin/serve --port N"):
            require_free_port(port)


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_number_that_is_no_port_is_refused(port):
    with pytest.raises(CannotServe, match="is no port"):
        require_free_port(port)


def test_a_database_without_a_broker_is_refused_before_anything_starts():
    with pytest.raises(CannotServe, match="set both, or neither"):
        provide_servers({"DATABASE_URL": "postgresql:///x"})


def test_production_never_falls_back_to_the_embedded_default():
    with pytest.raises(CannotServe, match="ASSAY_ENV=production needs DATABASE_URL and CELERY_BROKER_URL"):
        provide_servers({"ASSAY_ENV": "production"})


def test_named_services_are_taken_as_they_are():
    environment = {"DATABASE_URL": "postgresql:///x", "CELERY_BROKER_URL": "redis://x"}
    assert provide_servers(environment) is None
    assert "ASSAY_EMBEDDED" not in environment
