"""litellm is large and reads prices when it is imported: only who asks a model has it."""

import subprocess
import sys

from config.embedded import REPOSITORY

LOADED = (
    "import sys; print(sorted(name for name in sys.modules if name.split('.')[0] in ('litellm', 'openai', 'tiktoken')))"
)


def loaded_by(code: str) -> str:
    told = subprocess.run([sys.executable, "-c", code + LOADED], cwd=REPOSITORY, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    return told.stdout.strip()


def test_the_web_process_never_imports_litellm():
    urls = "import config.wsgi\nfrom django.urls import get_resolver\nget_resolver().url_patterns\n"
    assert loaded_by(urls + "import annotate.views.spend, exports.urls\n") == "[]"


def test_neither_do_commands_and_workers_that_ask_no_model():
    code = "import config.wsgi\nimport config.celery, jobs.tasks, suggestions.llm.tasks\n"
    assert loaded_by(code + "import annotate.management.commands.suggest\n") == "[]"
