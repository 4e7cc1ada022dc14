"""Settings by environment. Every one has a default that works on a laptop, or fails with a sentence that says what to set."""

import os
import sys
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from celery.schedules import crontab
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent
ASSAY_HOME = Path(os.environ.get("ASSAY_HOME") or BASE_DIR / ".assay")
PRODUCTION = os.environ.get("ASSAY_ENV", "development") == "production"
DEBUG = os.environ.get("DEBUG", "") in {"1", "true", "yes"}
# Log-ins of the demo are printed and created only where the embedded default runs.
EMBEDDED = os.environ.get("ASSAY_EMBEDDED") == "1"


def hosts() -> list[str]:
    return [name.strip() for name in os.environ.get("ALLOWED_HOSTS", "").split(",") if name.strip()]


def proxies() -> int:
    """How many of our own stand in front, each of which appends to X-Forwarded-For whom it was asked by."""
    given = os.environ.get("TRUSTED_PROXIES") or "0"
    if not (given.isascii() and given.isdigit()):
        raise ImproperlyConfigured("TRUSTED_PROXIES is the number of proxies in front: set it to 0, 1 or more.")
    return int(given)


SECRET_KEY = os.environ.get("SECRET_KEY", "")
ALLOWED_HOSTS = hosts() or ([] if PRODUCTION else ["localhost", "127.0.0.1", "[::1]", ".localhost", "assay.test"])
if PRODUCTION:
    if len(SECRET_KEY) < 32:
        raise ImproperlyConfigured("ASSAY_ENV=production needs SECRET_KEY: set it to a random string of 50 characters.")
    if DEBUG:
        raise ImproperlyConfigured("ASSAY_ENV=production refuses DEBUG: unset it.")
    if not ALLOWED_HOSTS or "*" in ALLOWED_HOSTS:
        raise ImproperlyConfigured(
            "ASSAY_ENV=production needs ALLOWED_HOSTS: set it to the host names people use, without *."
        )
    for service in ("DATABASE_URL", "CELERY_BROKER_URL"):
        if not os.environ.get(service):
            raise ImproperlyConfigured(f"ASSAY_ENV=production needs {service}: set it to the URL of your server.")
SECRET_KEY = SECRET_KEY or "development-only-key-never-used-in-production-0123456789"


def database(url: str) -> dict:
    parts = urlsplit(url)
    options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    host = options.pop("host", None) or parts.hostname or ""
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "assay",
        "USER": unquote(parts.username or "") or options.pop("user", ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(host),
        "PORT": str(parts.port or options.pop("port", "")),
        "OPTIONS": options,
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "TEST": {"NAME": os.environ.get("ASSAY_TEST_DATABASE_NAME")},
    }


DATABASES = {"default": database(os.environ.get("DATABASE_URL") or "postgresql:///assay")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "people.User"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "pgtrigger",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "config.apps.ConfigConfig",
    "people",
    "jobs",
    "traces",
    "taxonomy",
    "suggestions",
    "annotate",
    "adjudication",
    "exports",
]

MIDDLEWARE = [
    "config.middleware.SecurityHeaders",
    "config.middleware.DatabaseAway",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "annotate.middleware.PolicyAnswers",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or ASSAY_HOME / "static")
# Hashed names need a collectstatic first; bin/serve and the image run it and say so.
HASHED_STATIC = PRODUCTION or os.environ.get("ASSAY_HASHED_STATIC") == "1"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.static_files.HashedModules"
        if HASHED_STATIC
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not HASHED_STATIC
WHITENOISE_ALLOW_ALL_ORIGINS = False

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
if "test" in os.environ.get("ASSAY_PASSWORD_HASHER", ""):
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
# Behind a proxy that ends TLS; plain HTTP inside a closed network sets ASSAY_INSECURE_HTTP=1.
SECURE_COOKIES = PRODUCTION and os.environ.get("ASSAY_INSECURE_HTTP") != "1"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_COOKIES
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PRODUCTION else None
TRUSTED_PROXIES = proxies()
CSRF_TRUSTED_ORIGINS = [f"https://{name.lstrip('.')}" for name in ALLOWED_HOSTS] if PRODUCTION else []
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 2**20
# The names Django 6 uses, read by config.middleware until then.
SECURE_CSP = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "connect-src": ["'self'"],
    "font-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
}

CELERY_BROKER_URL = os.environ.get("CELERY_BROKER_URL") or "redis://127.0.0.1:6379/0"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 1,
}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_DEFAULT_QUEUE = os.environ.get("ASSAY_QUEUE", "assay")
CELERY_TASK_CREATE_MISSING_QUEUES = True
# Jobs that wait for models have a queue of their own, so that they keep nobody else waiting.
MODELS_QUEUE = f"{CELERY_TASK_DEFAULT_QUEUE}-llm"
# The TOML file with the models this deployment offers (docs/models.md); none where it is empty.
ASSAY_MODELS = os.environ.get("ASSAY_MODELS", "")
CELERY_BEAT_SCHEDULE = {
    "sweep-jobs": {"task": "jobs.tasks.sweep", "schedule": 10.0},
    "clear-sessions": {"task": "people.tasks.clear_sessions", "schedule": crontab(hour=3, minute=30)},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(ASSAY_HOME / "celerybeat-schedule")
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["annotate.api_auth.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": ["rest_framework.throttling.UserRateThrottle"],
    "DEFAULT_THROTTLE_RATES": {"user": "600/min"},
}
SPECTACULAR_SETTINGS = {"TITLE": "Assay", "VERSION": "1", "OAS_VERSION": "3.1.0", "SERVE_INCLUDE_SCHEMA": False}

TESTING = "pytest" in sys.modules
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"stderr": {"class": "config.log.ToStderr"}},
    "root": {"handlers": ["stderr"], "level": os.environ.get("LOG_LEVEL", "INFO")},
}
