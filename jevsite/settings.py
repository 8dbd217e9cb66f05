"""One settings module with safe defaults; every variable is listed in docs/operations.md."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from jevsite import env

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.text("JEV_VAR", str(BASE_DIR / "var"))).resolve()
# What the local judge has embedded once, by digest of the text.
VECTORS_DIR = VAR_DIR / "vectors"
FIXTURES_DIR = Path(env.text("JEV_FIXTURES", str(BASE_DIR / "fixtures"))).resolve()
TESTING = Path(sys.argv[0]).name in {"pytest", "py.test"} or "pytest" in sys.modules

DEBUG = env.flag("JEV_DEBUG", default=False)
# `local`: one user without a login, loopback only. Sites with logins come with their own mode.
MODE = env.text("JEV_MODE", "local", among=["local"])
SECRET_KEY = "tests-only" if TESTING else env.secret("JEV_SECRET_KEY", file=VAR_DIR / "secret-key")
# Even the error pages of JEV_DEBUG show no variable and no field of a form.
DEFAULT_EXCEPTION_REPORTER_FILTER = "jevsite.reports.NothingSecret"
# Seals what people entrust to this site; None: a key that is made at need and kept beside the database.
MASTER_KEY = env.concealed("JEV_MASTER_KEY")
# The site's own keys to providers, for whoever has none; personal keys come first, files in KEYS_DIR last.
JUDGE_KEYS = {
    "typesafe": env.concealed("TYPESAFE_API_KEY"),
    "openrouter": env.concealed("OPENROUTER_API_KEY"),
    "cloudflare": env.concealed("CLOUDFLARE_API_TOKEN"),
    "compatible": env.concealed("JEV_API_KEY"),
}
KEYS_DIR = Path(env.text("JEV_KEYS", str(VAR_DIR / "keys"))).resolve()
JUDGE_ADDRESSES = {
    "typesafe": env.text("TYPESAFE_BASE_URL", ""),
    "compatible": env.text("JEV_API_BASE_URL", ""),
}
# Where the agent and the judge `gguf` have their model; blank takes the small one of `make tiny`.
GGUF_FILE = env.text("GGUF_FILE", "")
CLOUDFLARE_ACCOUNT_ID = env.text("CLOUDFLARE_ACCOUNT_ID", "")
# Codex CLI; without it the program of that name on the PATH.
CODEX_BIN = env.text("CODEX_BIN", "")
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    # For its documentation page, served from here instead of a foreign host.
    "ninja",
    "jevsite.apps.SiteConfig",
    "policy.people.apps.PeopleConfig",
    "policy.apps.PolicyConfig",
    "arena.apps.ArenaConfig",
]
MIDDLEWARE = [
    "jevsite.access.AccessMiddleware",
    "jevsite.errors.MethodMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "jevsite.access.LocalUserMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
ROOT_URLCONF = "jevsite.urls"
ASGI_APPLICATION = "jevsite.asgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

DATABASES = {"default": env.database("DATABASE_URL", default_file=VAR_DIR / "db.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "people.User"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = VAR_DIR / "static"
# Served from the source folder: no collectstatic step stands between a clone and its first page.
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_AUTOREFRESH = DEBUG

SESSION_COOKIE_NAME = "jev_session"
SESSION_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_NAME = "jev_csrf"
CSRF_COOKIE_SAMESITE = "Strict"
CSRF_FAILURE_VIEW = "jevsite.errors.csrf_failure"

BROKER_URL = env.text("BROKER_URL", "box://localhost")
CELERY_BROKER_URL = BROKER_URL
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {}
if BROKER_URL.startswith("box:"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(VAR_DIR / "broker" / "queue"),
        "data_folder_out": str(VAR_DIR / "broker" / "queue"),
        "control_folder": str(VAR_DIR / "broker" / "control"),
        "processed_folder": str(VAR_DIR / "broker" / "processed"),
        "store_processed": True,
        "polling_interval": 0.02,
    }
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "lanes"
CELERY_TASK_ROUTES = {
    "arena.tasks.route": {"queue": "judge"},
    "arena.tasks.lane": {"queue": "lanes"},
    "policy.tasks.measure": {"queue": "measure"},
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# A long lane must not keep another one waiting behind it in the same worker.
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TIMEZONE = "UTC"

# Seconds. A lease is prolonged every third of its length; every wait in a lane is shorter than it.
LANE_LEASE_S = env.number("LANE_LEASE_S", 15, at_least=1)
REAP_EVERY_S = env.number("REAP_EVERY_S", 1, at_least=0.1)
REPUBLISH_AFTER_S = env.number("REPUBLISH_AFTER_S", 5, at_least=0.1)
STOP_WITHIN_S = env.number("STOP_WITHIN_S", 10, at_least=1)
# How long a person has to answer when a lane asks about a call; silence means no.
APPROVAL_WITHIN_S = env.number("APPROVAL_WITHIN_S", 120, at_least=1)
# Each measures one set at a time and holds a judge of its own; 0 where other machines do it.
MEASURE_PROCESSES = env.number("MEASURE_PROCESSES", 1)
# Every live reader also looks by itself this often, so a lost ring costs seconds, never an event; 0 switches it off.
LIVE_FALLBACK_S = env.number("LIVE_FALLBACK_S", 2)
DOORBELL_POLL_S = env.number("DOORBELL_POLL_S", 0.01, at_least=0.001)
# The pause of the offline agent between steps, so that people can watch.
AGENT_PAUSE_S = env.number("AGENT_PAUSE_S", 0.6)
# How many people annotate one run, each without seeing the others.
RATERS_PER_RUN = env.whole("RATERS_PER_RUN", 2, at_least=1, at_most=9)
# Whether tool servers may be connected by command: whoever reaches the port could run a program as this site does.
TOOL_COMMANDS = env.flag("TOOL_COMMANDS", default=True)
# What the ledger keeps of requests to judges; 0 is no limit. Rows of runs lose request and reply, never a figure.
LEDGER_KEEP_DAYS = env.number("LEDGER_KEEP_DAYS", 180)
LEDGER_KEEP_MB = env.number("LEDGER_KEEP_MB", 500)

_LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "jevsite.logs.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": env.text("JEV_LOG_LEVEL", "WARNING", among=_LEVELS)},
    "loggers": {
        "jev": {"level": env.text("JEV_LOG_LEVEL", "INFO", among=_LEVELS)},
        # At DEBUG these two write whole pages' variables and the values of every query.
        "django.template": {"level": "INFO"},
        "django.db.backends": {"level": "INFO"},
    },
}
