# Spirit (PyPI: django-spirit), a forum of divs and lists, in German. spirit.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install)
    python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check django-spirit==0.14.3 setuptools ;;
  load)
    rm -rf forum && PATH="$PWD/venv/bin:$PATH" venv/bin/spirit startproject forum >/dev/null
    cp "$here/spirit_load.py" forum/load.py
    cat > forum/forum/settings/dev_local.py <<'P'
from .dev import *
DEBUG = False
ALLOWED_HOSTS = ["*"]
LANGUAGE_CODE = "de"
LANGUAGES = [("de", "Deutsch")]
STORAGES = {"default": {"BACKEND": "django.core.files.storage.FileSystemStorage"}, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
P
    cd forum; export DJANGO_SETTINGS_MODULE=forum.settings.dev_local
    ../venv/bin/python manage.py spiritinstall > ../load.log 2>&1 || ../venv/bin/python manage.py migrate >> ../load.log 2>&1
    ../venv/bin/python load.py ../world.json ../truth.json ;;
  serve)
    cd forum; export DJANGO_SETTINGS_MODULE=forum.settings.dev_local
    exec ../venv/bin/python manage.py runserver --noreload --insecure "127.0.0.1:$3" ;;
esac
