# FlaskBB (PyPI: flaskbb, needs Python 3.6 or 3.7), a forum in the style of phpBB. flaskbb.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install)
    python=$(ls "$HOME"/.pyenv/versions/3.[67]*/bin/python 2>/dev/null | head -1)
    # Its dependencies are as old as it is, and build only with the setuptools of that time.
    "${python:-python3.7}" -m venv venv && venv/bin/pip install -q --disable-pip-version-check "setuptools<46" wheel
    venv/bin/pip install -q --disable-pip-version-check --no-build-isolation flaskbb==2.0.2 ;;
  load)
    rm -rf forum && mkdir -p forum/logs
    cat > forum/flaskbb.cfg <<P
SQLALCHEMY_DATABASE_URI = "sqlite:///$PWD/forum/flaskbb.sqlite"
WHOOSHEE_DIR = "$PWD/forum/index"
LOG_PATH = "$PWD/forum/logs"
USE_DEFAULT_LOGGING = False
SECRET_KEY = WTF_CSRF_SECRET_KEY = "bench"
P
    venv/bin/python "$here/flaskbb_load.py" forum/flaskbb.cfg world.json truth.json > load.log 2>&1 ;;
  serve) exec venv/bin/python - "$3" <<'P'
import sys
from flaskbb import create_app
create_app("forum/flaskbb.cfg").run(host="127.0.0.1", port=int(sys.argv[1]), threaded=True)
P
  ;;
esac
