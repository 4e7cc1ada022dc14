from django.apps import AppConfig


class AdjudicationConfig(AppConfig):
    name = "adjudication"

    def ready(self):
        import adjudication.closing
        import adjudication.codebook_evidence
        import adjudication.redaction
        import adjudication.tasks
        import adjudication.waiting  # noqa: F401  (what it puts on people's page of work)
