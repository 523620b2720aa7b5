# PyBBM (PyPI: pybbm, needs Python 3.7), a forum of tables, in Portuguese. pybbm.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install)
    python=$(ls "$HOME"/.pyenv/versions/3.7*/bin/python 2>/dev/null | head -1)
    "${python:-python3.7}" -m venv venv && venv/bin/pip install -q --disable-pip-version-check "django==1.11.29" "setuptools<58" pybbm==0.19.0 bbcode markdown ;;
  load)
    rm -rf forum && venv/bin/django-admin startproject forum
    cp "$here/pybbm_load.py" forum/load.py
    mkdir -p forum/templates && echo '<!doctype html><html lang="pt-br"><head><meta charset="utf-8"><title>{% block title %}{% endblock %}</title></head><body><header><a href="/">Oficina</a></header>{% block breadcrumb %}{% endblock %}{% block content %}{% endblock %}</body></html>' > forum/templates/base.html
    cat >> forum/forum/settings.py <<'P'
DEBUG = False
ALLOWED_HOSTS = ["*"]
LANGUAGE_CODE = "pt-br"
USE_L10N = True
INSTALLED_APPS += ["django.contrib.sites", "pybb"]
SITE_ID = 1
MIDDLEWARE += ["pybb.middleware.PybbMiddleware"]
TEMPLATES[0]["DIRS"] = [os.path.join(BASE_DIR, "templates")]
TEMPLATES[0]["OPTIONS"]["context_processors"].append("pybb.context_processors.processor")
PYBB_TEMPLATE = "base.html"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
P
    cat > forum/forum/urls.py <<'P'
from django.conf.urls import include, url
from django.contrib.auth import views
urlpatterns = [url(r"^accounts/login/$", views.LoginView.as_view(), name="auth_login"), url(r"^accounts/logout/$", views.LogoutView.as_view(), name="auth_logout"),
  url(r"^accounts/register/$", views.LoginView.as_view(), name="registration_register"), url(r"^accounts/reset/$", views.LoginView.as_view(), name="auth_password_reset"),
  url(r"^forum/", include("pybb.urls", namespace="pybb"))]
P
    cd forum; export DJANGO_SETTINGS_MODULE=forum.settings
    ../venv/bin/python manage.py migrate > ../load.log 2>&1
    ../venv/bin/python load.py ../world.json ../truth.json >> ../load.log 2>&1 ;;
  serve)
    cd forum; export DJANGO_SETTINGS_MODULE=forum.settings
    exec ../venv/bin/python manage.py runserver --noreload --insecure "127.0.0.1:$3" ;;
esac
