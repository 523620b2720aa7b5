# Pelican (PyPI) with its theme notmyidea, a small newspaper. pelican.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install) python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check "pelican[markdown]" ;;
  load)
    rm -rf content output
    python3 - <<'P'
import json, re, os
world = json.load(open("world.json"))
slug = lambda title: re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
os.makedirs("content")
for page in world["pages"]:
    head = f'Title: {page["title"]}\nDate: {page["date"][:16].replace("T", " ")}\nCategory: {page["section"]}\nAuthor: {page["author"]}\nSlug: {slug(page["title"])}\nSummary: {page["paragraphs"][0]}\n'
    body = page["paragraphs"]
    if page["paywalled"]: body = body[:1] + ["**This article is for subscribers. Subscribe now to continue reading.** Already a subscriber? [Sign in](/login.html)"]
    open(f'content/{slug(page["title"])}.md', "w").write(head + "\n" + "\n\n".join(body))
os.makedirs("content/pages")
open("content/pages/about.md", "w").write("Title: About\n\nThe Valley Post is a newspaper of six people. Write to us.")
open("pelicanconf.py", "w").write("""SITENAME = 'The Valley Post'
SITEURL = ''
PATH = 'content'
TIMEZONE = 'UTC'
DEFAULT_PAGINATION = 12
THEME = 'notmyidea'
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = None
""")
json.dump({"index": "/", "listings": ["/archives.html"], "sections": {s: f"/category/{slug(s)}.html" for s in world["sections"]},
  "pages": {p["id"]: f'/{slug(p["title"])}.html' for p in world["pages"]}, "others": ["/pages/about.html"]}, open("truth.json", "w"))
P
    venv/bin/pelican content -q -s pelicanconf.py -o output > load.log 2>&1 ;;
  serve) exec python3 -m http.server --bind 127.0.0.1 --directory output "$3" ;;
esac
