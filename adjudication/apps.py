from django.apps import AppConfig


class AdjudicationConfig(AppConfig):
    name = "adjudication"

    def ready(self):
        import adjudication.tasks  # noqa: F401  (its job handlers register here)
        import adjudication.waiting  # noqa: F401  (what it puts on people's page of work)
