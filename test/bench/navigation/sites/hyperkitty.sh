# HyperKitty (PyPI), Mailman's web archive; replies are loaded by script. hyperkitty.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install)
    python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check hyperkitty==1.3.12 libsass ;;
  load)
    rm -rf archive && venv/bin/django-admin startproject archive
    cp "$here/hyperkitty_load.py" archive/load.py
    cat >> archive/archive/settings.py <<'P'
DEBUG = False
ALLOWED_HOSTS = ["*"]
INSTALLED_APPS += ["django.contrib.sites", "hyperkitty", "django_mailman3", "rest_framework", "django_gravatar", "compressor", "haystack", "django_extensions", "django_q", "allauth", "allauth.account", "allauth.socialaccount"]
MIDDLEWARE += ["django_mailman3.middleware.TimezoneMiddleware", "allauth.account.middleware.AccountMiddleware"]
TEMPLATES[0]["OPTIONS"]["context_processors"] += ["django.template.context_processors.request", "django_mailman3.context_processors.common", "hyperkitty.context_processors.common"]
SITE_ID = 1
ROOT_URLCONF = "archive.urls"
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
Q_CLUSTER = {"orm": "default", "sync": True}
MAILMAN_REST_API_URL = "http://127.0.0.1:9"
MAILMAN_REST_API_USER = MAILMAN_REST_API_PASS = MAILMAN_ARCHIVER_KEY = "x"
MAILMAN_ARCHIVER_FROM = ("127.0.0.1",)
COMPRESS_ENABLED = False
COMPRESS_PRECOMPILERS = (("text/x-scss", "cat {infile}"), ("text/x-sass", "cat {infile}"))
STATICFILES_FINDERS = ("django.contrib.staticfiles.finders.FileSystemFinder", "django.contrib.staticfiles.finders.AppDirectoriesFinder", "compressor.finders.CompressorFinder")
STATIC_ROOT = BASE_DIR / "static"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
FILTER_VHOST = False
LOGIN_URL = "account_login"
LOGOUT_URL = "account_logout"
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
HYPERKITTY_TASK_LOCK_TIMEOUT = 1
P
    cat > archive/archive/urls.py <<'P'
from django.urls import include, path
urlpatterns = [path("hyperkitty/", include("hyperkitty.urls")), path("accounts/", include("allauth.urls")), path("mailman3/", include("django_mailman3.urls"))]
P
    cd archive; export DJANGO_SETTINGS_MODULE=archive.settings
    python3 "$here/mail_load.py" ../world.json ../list.mbox
    ../venv/bin/python manage.py migrate > ../load.log 2>&1
    ../venv/bin/python manage.py hyperkitty_import -l talk@lists.example.org --since 2000-01-01 ../list.mbox >> ../load.log 2>&1
    ../venv/bin/python load.py ../world.json ../truth.json ;;
  serve)
    cd archive; export DJANGO_SETTINGS_MODULE=archive.settings
    exec ../venv/bin/python manage.py runserver --noreload --insecure "127.0.0.1:$3" ;;
esac
