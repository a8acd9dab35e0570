"""Django's settings, derived from the `CAESAR_*` tree, which is `settings.CAESAR`."""

import math
import os
import secrets
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import dj_database_url

from caesar import metrics
from caesar.conf import ConfigurationError, load_settings
from caesar.environment import ROOT, is_testing
from caesar.log_lines import JSONFormatter, OneLineFormatter, without_traceback

# One thread for each matrix product: the web server's threads run in parallel. Must be set before numpy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

BASE_DIR = ROOT
VAR_DIR = BASE_DIR / "var"
CAESAR = load_settings()
TESTING = is_testing()


def stored_secret_key(path: Path) -> str:
    """The signing key kept in a file of mode 0600, made on first start.

    Web and worker start together: the file gets its name only when it is complete, and the first one wins.
    """
    try:
        if not path.exists():
            _create_once(path, secrets.token_urlsafe(64))
        key = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        reason = f"not set, and {path} cannot be used ({error.strerror}). Set it, or make that folder writable."
        raise ConfigurationError([f"CAESAR_SECRET_KEY: {reason}"]) from None
    if not key:
        raise ConfigurationError([f"CAESAR_SECRET_KEY: not set, and {path} is empty. Delete that file, or set it."])
    return key


def _create_once(path: Path, text: str) -> None:
    """Write a private file, unless another process was faster."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=".secret_key-")  # O_EXCL, mode 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(draft)


def database(url: str) -> dict[str, Any]:
    """Django's entry for a database address. SQLite transactions are IMMEDIATE: the others ran into locks.

    Connections are kept: one that is made anew reads the whole schema, a sixth of what a turn computes.
    """
    config: dict[str, Any] = {**dj_database_url.parse(url)} | {"CONN_MAX_AGE": 600}
    if config["ENGINE"].endswith("sqlite3"):
        config["ENGINE"] = "caesar.sqlite3"
        config["NAME"] = str(sqlite_file(config["NAME"]))
        config["TEST"] = {"NAME": str(Path(tempfile.gettempdir()) / f"caesar-test-{os.getpid()}.sqlite3")}
        config["OPTIONS"] = {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON",
        }
    else:
        config["CONN_HEALTH_CHECKS"] = True
    return config


def sqlite_file(name: str) -> Path:
    """Where the database file is, absolute. Raises `ConfigurationError` when it has no folder to be in."""
    path = BASE_DIR / name
    try:
        if path.parent == VAR_DIR:
            VAR_DIR.mkdir(mode=0o700, exist_ok=True)
        if path.parent.is_dir():
            return path
    except OSError:
        pass
    raise ConfigurationError([f"CAESAR_DB__URL: there is no folder {path.parent}. Create it, or correct the path."])


def task_seconds(question_seconds: float) -> int:
    """How long django-q2 lets a batch run: six minutes of questions, and the longest that one chat may take."""
    return max(600, math.ceil(question_seconds) + 360)


SECRET_KEY = CAESAR.secret_key.get_secret_value() if CAESAR.secret_key else stored_secret_key(VAR_DIR / "secret_key")
DEBUG = CAESAR.debug
ALLOWED_HOSTS = list(CAESAR.allowed_hosts)

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "axes",
    "corsheaders",
    "django_htmx",
    "django_q",
    "ninja",
    "memory",
    "dashboard",
]

MIDDLEWARE = [
    "caesar.middleware.LogContextMiddleware",
    "memory.api.envelope.EnvelopeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "caesar.middleware.PageGZipMiddleware",  # outside all that reads or writes a page
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "dashboard.shared.session.known_account.KnownAccountMiddleware",
    "caesar.middleware.ActorMiddleware",  # after the one that says who is logged in
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",  # last, so that its answer is a page like any other
]

if CAESAR.api.cors_origins:
    # Around all that could answer in its place: a preflight has no key, and a page has to read refusals, too.
    MIDDLEWARE.insert(0, "corsheaders.middleware.CorsMiddleware")

ROOT_URLCONF = "caesar.urls"
WSGI_APPLICATION = "caesar.wsgi.application"
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
                "dashboard.account.theme.theme",
            ],
            # Named here, since each page's tags are in the page's own folder.
            "libraries": {
                "dashboard": "dashboard.shared.tags",
                "episodes": "dashboard.episodes.tags",
                "facts": "dashboard.facts.tags",
                "health": "dashboard.shared.health_tags",
                "models": "dashboard.language_models.tags",
                "timeline": "dashboard.timeline.tags",
            },
        },
    },
]

DATABASES = {"default": database(CAESAR.db.url.get_secret_value())}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATA_UPLOAD_MAX_MEMORY_SIZE = CAESAR.api.max_body_bytes

# django-q2 only starts tasks: it neither makes up for missed ones nor retries. The workers' cursors do that.
TASK_TIMEOUT_SECONDS = task_seconds(CAESAR.llm.longest_question_seconds)
Q_CLUSTER: dict[str, Any] = {
    "name": "caesar",
    "orm": "default",
    "workers": 2,
    "timeout": TASK_TIMEOUT_SECONDS,
    "retry": TASK_TIMEOUT_SECONDS + 60,
    "max_attempts": 1,
    "ack_failures": True,
    "catch_up": False,
    "poll": 0.5,
    "save_limit": 50,
    "queue_limit": 2,
    "bulk": 1,
    "recycle": 500,
    "log_level": CAESAR.log_level,
}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
CSRF_FAILURE_VIEW = "caesar.server.error_pages.csrf_failure"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/dashboard/"
LOGOUT_REDIRECT_URL = "login"

# The login limit. Counted for a username at an address, so that nobody elsewhere can lock the operator out. Behind a
# proxy that is not among CAESAR_SERVER__TRUSTED_PROXIES every address is the proxy's: headers that claim another one
# are ignored, since they would void the limit.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # the page says when it ends: then it ends
AXES_LOCKOUT_CALLABLE = "dashboard.account.views.locked_out"
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
AXES_SENSITIVE_PARAMETERS = ["username"]  # the log names the address; a password typed into the wrong field stays out

LANGUAGE_CODE = "en-us"
USE_I18N = False
USE_TZ = True
TIME_ZONE = CAESAR.time_zone
FORMAT_MODULE_PATH = "caesar.formats"

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
METRICS_DIR = VAR_DIR / "metrics"
if not TESTING:
    metrics.share(METRICS_DIR)
STATICFILES_DIRS = [BASE_DIR / "static", ("docs", BASE_DIR / "docs" / "pictures")]  # pictures of the manual
SERVES_STATIC_FROM_SOURCE = DEBUG or TESTING
WHITENOISE_AUTOREFRESH = SERVES_STATIC_FROM_SOURCE
WHITENOISE_USE_FINDERS = True  # what is not collected is served under its own name
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if SERVES_STATIC_FROM_SOURCE
        else "caesar.server.static_files.CollectedOrSource"
    },
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
# Web pages of other servers at the API, never at the dashboard, and never with cookies: a key is what counts.
CORS_URLS_REGEX = r"^/(?:v1|mcp)(?:/|$)"
CORS_ALLOW_ALL_ORIGINS = CAESAR.api.cors_origins == ("*",)
CORS_ALLOWED_ORIGINS = [origin for origin in CAESAR.api.cors_origins if origin != "*"]
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_HEADERS = [
    "Authorization",  # the star below does not stand for it
    "Content-Type",
    "x-api-key",
    "anthropic-version",
    "anthropic-beta",
    "Idempotency-Key",
    "X-Conversation-Id",
    "X-Memory",
    "X-Memory-Task",
    "X-Request-Id",
    "mcp-protocol-version",
    "mcp-session-id",
    "mcp-method",
    "mcp-name",
    "*",  # SDKs send a dozen of their own (x-stainless-...), others with each version
]
CORS_EXPOSE_HEADERS = [
    "X-Decision-Id",
    "X-Memory-Recorded",
    "X-Request-Id",
    "Idempotency-Replayed",
    "Retry-After",
    "WWW-Authenticate",
]

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"

if CAESAR.server.https:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
    SECURE_HSTS_SECONDS = 30 * 24 * 3600
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    CSRF_TRUSTED_ORIGINS = [
        f"https://*{host}" if host.startswith(".") else f"https://{host}" for host in ALLOWED_HOSTS if host != "*"
    ]
    # HSTS for subdomains and the browsers' preload list: this server cannot know who else lives on its domain.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

_KEYS = {*CAESAR.provider_keys, *(os.environ.get(name, "") for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"))}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": OneLineFormatter, "format": "%(asctime)s %(levelname)s %(name)s: %(message)s", "keys": _KEYS},
        "json": {"()": JSONFormatter, "keys": _KEYS},
    },
    "filters": {"without_traceback": {"()": "django.utils.log.CallbackFilter", "callback": without_traceback}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": CAESAR.log_format}},
    "root": {"handlers": ["stderr"], "level": CAESAR.log_level},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "django.security.DisallowedHost": {"filters": ["without_traceback"]},
        "django.security.RequestDataTooBig": {"filters": ["without_traceback"]},
        # One line for each call would bury the rest, and addresses may hold more than a log should.
        "django-q": {"level": "WARNING" if CAESAR.log_level == "INFO" else CAESAR.log_level},
        "axes": {"level": "WARNING" if CAESAR.log_level == "INFO" else CAESAR.log_level},
        "httpx": {"level": "WARNING"},
        "httpcore": {"level": "WARNING"},
    },
}
