# django-machina (PyPI), a forum engine with Bootstrap markup, in French. machina.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install)
    python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check django-machina==1.3.1 "django<5" setuptools ;;
  load)
    rm -rf forum && venv/bin/django-admin startproject forum
    cp "$here/machina_load.py" forum/load.py
    cat >> forum/forum/settings.py <<'P'
from machina import MACHINA_MAIN_TEMPLATE_DIR, MACHINA_MAIN_STATIC_DIR
DEBUG = False
ALLOWED_HOSTS = ["*"]
LANGUAGE_CODE = "fr"
INSTALLED_APPS += ["mptt", "haystack", "widget_tweaks", "machina", "machina.apps.forum", "machina.apps.forum_conversation",
  "machina.apps.forum_conversation.forum_attachments", "machina.apps.forum_conversation.forum_polls",
  "machina.apps.forum_feeds", "machina.apps.forum_moderation", "machina.apps.forum_search",
  "machina.apps.forum_tracking", "machina.apps.forum_member", "machina.apps.forum_permission"]
TEMPLATES[0]["DIRS"] = [MACHINA_MAIN_TEMPLATE_DIR]
TEMPLATES[0]["OPTIONS"]["context_processors"].append("machina.core.context_processors.metadata")
MIDDLEWARE += ["machina.apps.forum_permission.middleware.ForumPermissionMiddleware"]
STATICFILES_DIRS = [MACHINA_MAIN_STATIC_DIR]
MEDIA_ROOT = BASE_DIR / "media"
MEDIA_URL = "/media/"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
  "machina_attachments": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "attachments"}}
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
MACHINA_DEFAULT_AUTHENTICATED_USER_FORUM_PERMISSIONS = ["can_see_forum", "can_read_forum"]
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
P
    cat > forum/forum/urls.py <<'P'
from django.contrib import admin
from django.urls import include, path
urlpatterns = [path("admin/", admin.site.urls), path("accounts/", include("django.contrib.auth.urls")), path("forum/", include("machina.urls"))]
P
    cd forum; export DJANGO_SETTINGS_MODULE=forum.settings
    ../venv/bin/python manage.py migrate > ../load.log 2>&1
    ../venv/bin/python load.py ../world.json ../truth.json ;;
  serve)
    cd forum; export DJANGO_SETTINGS_MODULE=forum.settings
    exec ../venv/bin/python manage.py runserver --noreload --insecure "127.0.0.1:$3" ;;
esac
