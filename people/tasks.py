from celery import shared_task
from django.core.management import call_command


@shared_task(name="people.tasks.clear_sessions")
def clear_sessions() -> None:
    """Beat's daily round: log-ins that ended are not kept."""
    call_command("clearsessions")
