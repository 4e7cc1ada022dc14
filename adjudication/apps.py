from django.apps import AppConfig


class AdjudicationConfig(AppConfig):
    name = "adjudication"

    def ready(self):
        import adjudication.tasks  # noqa: F401  (its job handlers register here)
