# Material for MkDocs (PyPI), a manual. mkdocs.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install) python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check mkdocs-material ;;
  load)
    rm -rf docs site
    python3 - <<'P'
import json, re, os
world = json.load(open("world.json"))
slug = lambda title: re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
os.makedirs("docs")
nav = [{"Home": "index.md"}]
for section in world["sections"]:
    folder = "docs/" + slug(section); os.makedirs(folder)
    entries = []
    for page in [p for p in world["pages"] if p["section"] == section]:
        first, *more = page["paragraphs"]
        open(f'{folder}/{slug(page["title"])}.md', "w").write(f'# {page["title"]}\n\n{first}\n\n```sh\ntarn --help\n```\n\n' + ("## Details\n\n" + "\n\n".join(more) if more else "") + "\n")
        entries.append({page["title"]: f'{slug(section)}/{slug(page["title"])}.md'})
    nav.append({section: entries})
open("docs/index.md", "w").write("# Tarn\n\nTarn runs pipelines on your own machines.\n\n" + "\n".join(f'- [{p["title"]}]({slug(p["section"])}/{slug(p["title"])}.md)' for p in world["pages"][:4]))
open("mkdocs.yml", "w").write("site_name: Tarn\ntheme:\n  name: material\n  font: false\nplugins: []\nnav: " + json.dumps(nav) + "\n")
json.dump({"index": "/", "listings": [], "sections": {}, "pages": {p["id"]: f'/{slug(p["section"])}/{slug(p["title"])}/' for p in world["pages"]}, "others": []}, open("truth.json", "w"))
P
    venv/bin/mkdocs build -q > load.log 2>&1 ;;
  serve) exec python3 -m http.server --bind 127.0.0.1 --directory site "$3" ;;
esac
