from django.apps import AppConfig


class SuggestionsConfig(AppConfig):
    name = "suggestions"

    def ready(self):
        import suggestions.llm.tasks
        import suggestions.redaction
        import suggestions.tasks  # noqa: F401  (their job handlers register here)
