from django.apps import AppConfig


class SuggestionsConfig(AppConfig):
    name = "suggestions"

    def ready(self):
        import suggestions.tasks  # noqa: F401  (its job handlers register here)
