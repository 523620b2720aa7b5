# Hexo with the theme Fluid (npm: hexo, hexo-theme-fluid), a small newspaper with a German interface. hexo-fluid.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install)
    npm init -y >/dev/null && npm pkg set hexo.version=7
    npm install --no-audit --no-fund hexo@7 hexo-renderer-marked hexo-renderer-ejs hexo-renderer-stylus hexo-generator-archive hexo-generator-category hexo-generator-index hexo-generator-tag hexo-theme-fluid@1.9.9 ;;
  load)
    rm -rf source public db.json && mkdir -p source/_posts source/about
    cat > _config.yml <<'P'
title: Das Tal
language: de
timezone: UTC
url: http://127.0.0.1
permalink: :year/:month/:title/
theme: fluid
future: true
per_page: 10
index_generator: { per_page: 10, order_by: -date }
P
    cat > _config.fluid.yml <<'P'
post:
  meta:
    author: { enable: true }
P
    python3 - <<'P'
import json, re
world = json.load(open("world.json"))
slug = lambda title: re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
pages = {}
for page in world["pages"]:
    name = slug(page["title"])
    body = page["paragraphs"]
    if page["paywalled"]: body = body[:1] + ["**This article is for subscribers. Subscribe now to continue reading.**"]
    head = f'---\ntitle: {json.dumps(page["title"])}\ndate: {page["date"][:19].replace("T", " ")}\nauthor: {page["author"]}\ncategories: [{page["section"]}]\n---\n'
    open(f"source/_posts/{name}.md", "w").write(head + "\n" + "\n\n".join(body) + "\n")
    pages[page["id"]] = f'/{page["date"][:4]}/{page["date"][5:7]}/{name}/'
open("source/about/index.md", "w").write("---\ntitle: About\nlayout: about\n---\nThe paper of six people in the valley. Write to us.\n")
sections = {section: f"/categories/{section}/" for section in dict.fromkeys(page["section"] for page in world["pages"])}
json.dump({"index": "/", "listings": ["/archives/"], "sections": sections, "pages": pages, "others": ["/about/"]}, open("truth.json", "w"))
P
    npx hexo generate > load.log 2>&1 ;;
  serve) exec python3 -m http.server --bind 127.0.0.1 --directory public "$3" ;;
esac
