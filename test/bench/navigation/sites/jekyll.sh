# Jekyll with its theme minima (apt: jekyll, jekyll-theme-minima), a small newspaper. jekyll.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install) command -v jekyll >/dev/null || { apt-get update -q; DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends jekyll ruby-jekyll-feed ruby-jekyll-seo-tag jekyll-theme-minima; } ;;
  load)
    rm -rf source output
    python3 - <<'P'
import json, re, os
world = json.load(open("world.json"))
slug = lambda title: re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
os.makedirs("source/_posts")
pages = {}
for page in world["pages"]:
    name = slug(page["title"])
    head = f'---\nlayout: post\ntitle: {json.dumps(page["title"])}\ndate: {page["date"][:19].replace("T", " ")} +0000\nauthor: {page["author"]}\ncategories: {slug(page["section"])}\nexcerpt_separator: ""\n---\n'
    body = page["paragraphs"]
    if page["paywalled"]: body = body[:1] + ["**This article is for subscribers. Subscribe now to continue reading.**"]
    open(f'source/_posts/{page["date"][:10]}-{name}.md', "w").write(head + "\n" + "\n\n".join(body))
    pages[page["id"]] = f'/{slug(page["section"])}/{page["date"][:10].replace("-", "/")}/{name}.html'
open("source/index.md", "w").write("---\nlayout: home\n---\n")
open("source/about.md", "w").write("---\nlayout: page\ntitle: About\npermalink: /about/\n---\nThe Valley Post is a newspaper of six people. Write to us.\n")
open("source/_config.yml", "w").write('title: The Valley Post\ntheme: minima\nfuture: true\ntimezone: UTC\nplugins: [jekyll-seo-tag]\n')
json.dump({"index": "/", "listings": [], "sections": {}, "pages": pages, "others": ["/about/"]}, open("truth.json", "w"))
P
    (cd source && jekyll build -q -d ../output) > load.log 2>&1 ;;
  serve) exec python3 -m http.server --bind 127.0.0.1 --directory output "$3" ;;
esac
