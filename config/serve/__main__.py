import argparse
import os
import signal
import sys

from config.embedded import EmbeddedError

from .guards import CannotServe, claim_home, require_free_port
from .preparation import prepare
from .supervisor import Supervisor


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/serve", description="Run Assay on this machine.")
    parser.add_argument("--port", type=int, default=8000, help="the port on 127.0.0.1 (default 8000)")
    port = parser.parse_args().port
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        with claim_home(port):
            require_free_port(port)
            prepared = prepare(os.environ)
            with prepared.servers:
                return Supervisor(prepared, port).run()
    except (CannotServe, EmbeddedError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
