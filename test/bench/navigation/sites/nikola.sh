# Nikola (PyPI: nikola) with its standard theme, a small newspaper. nikola.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install) python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check "nikola[extras]==8.3.3" || venv/bin/pip install -q --disable-pip-version-check nikola ;;
  load)
    rm -rf paper && venv/bin/nikola init -q paper > load.log 2>&1
    cat >> paper/conf.py <<'P'
BLOG_AUTHOR, BLOG_TITLE, SITE_URL = "The Valley Post", "The Valley Post", "http://127.0.0.1/"
BLOG_DESCRIPTION, COMMENT_SYSTEM, TIMEZONE, FUTURE_IS_NOW = "News of the valley", "", "UTC", True
P
    venv/bin/python - <<'P'
import json, re, os
world = json.load(open("world.json"))
slug = lambda title: re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
pages = {}
for page in world["pages"]:
    name = slug(page["title"])
    body = page["paragraphs"]
    if page["paywalled"]: body = body[:1] + ["**This article is for subscribers. Subscribe now to continue reading.**"]
    head = f'.. title: {page["title"]}\n.. slug: {name}\n.. date: {page["date"][:19].replace("T", " ")} UTC\n.. author: {page["author"]}\n.. category: {page["section"]}\n.. tags: {slug(page["section"])}\n'
    open(f"paper/posts/{name}.rst", "w").write(head + "\n" + "\n\n".join(body) + "\n")
    pages[page["id"]] = f"/posts/{name}/"
open("paper/pages/about.rst", "w").write(".. title: About\n.. slug: about\n\nThe Valley Post is a newspaper of six people. Write to us.\n")
if not os.path.isdir("paper/posts"): raise SystemExit("no posts")
sections = {section: f"/categories/cat_{slug(section)}/" for section in dict.fromkeys(page["section"] for page in world["pages"])}
json.dump({"index": "/", "listings": [], "sections": sections, "pages": pages, "others": ["/pages/about/"]}, open("truth.json", "w"))
P
    (cd paper && ../venv/bin/nikola build) >> load.log 2>&1 ;;
  serve) exec python3 -m http.server --bind 127.0.0.1 --directory paper/output "$3" ;;
esac
