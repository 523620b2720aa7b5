# Sphinx (PyPI) with its default theme, the manual of a program. sphinx.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install) python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check sphinx ;;
  load)
    rm -rf source output
    python3 - <<'P'
import json, re, os
world = json.load(open("world.json"))
slug = lambda title: re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
line = lambda text, sign: f'{text}\n{sign * (len(text) + 4)}\n\n'
os.makedirs("source")
open("source/conf.py", "w").write('project = "Handbook"\nhtml_theme = "alabaster"\nhtml_copy_source = False\n')
pages = {}
for section in world["sections"]:
    folder = slug(section); os.makedirs(f"source/{folder}")
    own = [page for page in world["pages"] if page["section"] == section]
    for page in own:
        open(f'source/{folder}/{slug(page["title"])}.rst', "w").write(line(page["title"], "=") + "\n\n".join(page["paragraphs"]) + "\n")
        pages[page["id"]] = f'/{folder}/{slug(page["title"])}.html'
    listed = "".join(f'   {slug(page["title"])}\n' for page in own)
    open(f"source/{folder}/index.rst", "w").write(line(section, "=") + ".. toctree::\n\n" + listed)
top = "".join(f"   {slug(section)}/index\n" for section in world["sections"])
open("source/index.rst", "w").write(line("Handbook", "=") + ".. toctree::\n   :maxdepth: 2\n\n" + top)
json.dump({"index": "/index.html", "listings": [], "sections": {s: f"/{slug(s)}/index.html" for s in world["sections"]}, "pages": pages,
  "others": ["/search.html"]}, open("truth.json", "w"))
P
    venv/bin/sphinx-build -q -b html source output > load.log 2>&1 ;;
  serve) exec python3 -m http.server --bind 127.0.0.1 --directory output "$3" ;;
esac
