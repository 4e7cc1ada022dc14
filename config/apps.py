from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self):
        import config.celery  # noqa: F401  (shared tasks bind to this app)
        from config.arrows import register_checks

        register_checks()
