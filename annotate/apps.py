from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    name = "annotate"

    def ready(self):
        import annotate.redaction
        import annotate.said_to_lead
        import annotate.tasks  # noqa: F401  (its job handlers register here)
