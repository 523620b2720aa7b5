# PunkwebBB (PyPI: punkweb-bb), a bulletin board, in English. punkweb.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install)
    python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check punkweb-bb==0.5.2 ;;
  load)
    rm -rf forum && venv/bin/django-admin startproject forum
    cp "$here/punkweb_load.py" forum/load.py
    cat >> forum/forum/settings.py <<'P'
DEBUG = False
ALLOWED_HOSTS = ["*"]
INSTALLED_APPS += ["punkweb_bb"]
MIDDLEWARE += ["punkweb_bb.middleware.ProfileOnlineCacheMiddleware"]
TEMPLATES[0]["OPTIONS"]["context_processors"].append("punkweb_bb.context_processors.punkweb_bb")
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
MEDIA_ROOT = BASE_DIR / "media"
MEDIA_URL = "/media/"
PUNKWEB_BB = {"SHOUTBOX_ENABLED": False}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
P
    cat > forum/forum/urls.py <<'P'
from django.urls import include, path
urlpatterns = [path("board/", include("punkweb_bb.urls"))]
P
    cd forum; export DJANGO_SETTINGS_MODULE=forum.settings
    ../venv/bin/python manage.py migrate > ../load.log 2>&1
    ../venv/bin/python load.py ../world.json ../truth.json ;;
  serve)
    cd forum; export DJANGO_SETTINGS_MODULE=forum.settings
    exec ../venv/bin/python manage.py runserver --noreload --insecure "127.0.0.1:$3" ;;
esac
