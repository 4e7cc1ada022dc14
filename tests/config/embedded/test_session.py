import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest
import redis

from config.embedded import REPOSITORY, account, places, postgres, processes, use, valkey


def ask(url: str, sql: str):
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(sql)
        return cursor.fetchone()[0] if cursor.description else None


def running(home: Path) -> tuple[bool, bool]:
    used = places.prepare(home, account.current())
    return postgres.answers(used), valkey.answers(used)


def test_a_home_starts_from_nothing_and_stops_with_its_last_use(home):
    with use(home, durable=False) as servers:
        assert ask(servers.database_url, "SELECT current_database()") == "assay"
        assert running(home) == (True, True)
    assert running(home) == (False, False)


def test_sorting_and_case_do_not_depend_on_the_machine(home):
    with use(home, broker=False, durable=False) as servers:
        sorted_here = ask(
            servers.database_url, "SELECT string_agg(x, '' ORDER BY x) FROM unnest('{b,A,a,B}'::text[]) x"
        )
        assert (sorted_here, ask(servers.database_url, "SELECT lower('ÄÉ')")) == ("ABab", "äé")


def test_nothing_listens_on_the_network_and_the_socket_is_private(home):
    with use(home, broker=False, durable=False) as servers:
        assert ask(servers.database_url, "SHOW listen_addresses") == ""
        assert servers.places.sockets.stat().st_mode & 0o777 == 0o700


def test_a_command_without_need_of_a_broker_starts_none(home):
    with use(home, broker=False, durable=False):
        assert running(home) == (True, False)


def test_a_second_use_in_the_process_joins_the_first(home):
    first = use(home, broker=False, durable=False)
    with use(home, durable=False) as second:
        assert second is first
    assert running(home) == (True, True)
    first.close()
    assert running(home) == (False, False)


def test_rows_and_queued_tasks_outlive_a_restart(home):
    with use(home) as servers:
        ask(servers.database_url, "CREATE TABLE t AS SELECT 7 AS x")
        redis.Redis(unix_socket_path=str(servers.places.valkey_socket)).lpush("queue", "task")
    with use(home) as servers:
        queued = redis.Redis(unix_socket_path=str(servers.places.valkey_socket)).lrange("queue", 0, -1)
        assert (ask(servers.database_url, "SELECT x FROM t"), queued) == (7, [b"task"])


def test_a_killed_postmaster_is_recovered_with_its_rows(home):
    with use(home, broker=False) as servers:
        ask(servers.database_url, "CREATE TABLE t (x int)")
        for round_ in range(3):
            ask(servers.database_url, f"INSERT INTO t VALUES ({round_})")
            os.kill(postgres.living_postmaster(servers.places), signal.SIGKILL)
            assert servers.ensure() == ["postgres"]
        assert ask(servers.database_url, "SELECT count(*) FROM t") == 3


def test_a_killed_valkey_is_started_again_with_its_queue(home):
    with use(home, durable=False) as servers:
        client = redis.Redis(unix_socket_path=str(servers.places.valkey_socket))
        client.lpush("queue", *range(1000))
        os.kill(client.info("server")["process_id"], signal.SIGKILL)
        assert servers.ensure() == ["valkey"]
        assert client.llen("queue") == 1000


def test_servers_of_a_killed_holder_are_adopted_and_stopped(home, holder):
    killed = holder(home)
    url = killed.stdout.readline().strip()
    ask(url, "CREATE TABLE t AS SELECT 7 AS x")
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert running(home) == (True, True)
    before = postgres.living_postmaster(places.prepare(home, account.current()))
    with use(home, durable=False) as servers:
        assert postgres.living_postmaster(servers.places) == before
        assert ask(servers.database_url, "SELECT x FROM t") == 7
    assert running(home) == (False, False)


def test_sigterm_ends_a_holder_in_order(home, holder):
    ended = holder(home)
    ended.stdout.readline()
    ended.terminate()
    assert ended.wait(timeout=30) == 128 + signal.SIGTERM
    assert running(home) == (False, False)


def test_four_cold_starts_at_once_make_one_server_and_the_last_stops_it(home, holder):
    together = [holder(home) for _ in range(4)]
    assert len({process.stdout.readline() for process in together}) == 1
    used = places.prepare(home, account.current())
    starts = (used.logs / "postgres.log").read_text().count("starting PostgreSQL")
    for process in together[:3]:
        process.communicate()
    assert (starts, running(home)) == (1, (True, True))
    together[3].communicate()
    assert running(home) == (False, False)


def test_a_forked_child_does_not_stop_its_parents_servers(home):
    with use(home, broker=False, durable=False) as servers:
        child = os.fork()
        if child == 0:
            servers.close()
            os._exit(0)
        os.waitpid(child, 0)
        assert running(home) == (True, False)


@pytest.mark.slow
def test_a_first_start_killed_half_way_leaves_nothing_in_the_way(home):
    for delay in (0.1, 0.3, 0.5, 0.7, 0.9):
        code = "import sys; from pathlib import Path; from config.embedded import use; use(Path(sys.argv[1]))"
        starting = subprocess.Popen([sys.executable, "-c", code, str(home)], cwd=REPOSITORY)
        time.sleep(delay)
        starting.kill()
        starting.wait()
    with use(home) as servers:
        assert ask(servers.database_url, "SELECT 1") == 1
    assert processes.all_in(servers.places.postgres, "postgres") == []
