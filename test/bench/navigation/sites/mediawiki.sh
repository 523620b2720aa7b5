# MediaWiki (apt) with SQLite. mediawiki.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install) [ -d /usr/share/mediawiki ] || { apt-get update -q; DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends mediawiki php-cli php-sqlite3 php-xml php-mbstring php-intl; } ;;
  load)
    rm -rf wiki data pages && cp -rL /usr/share/mediawiki wiki && rm -f wiki/LocalSettings.php && mkdir -p data pages
    php wiki/maintenance/install.php --dbtype sqlite --dbpath "$PWD/data" --dbname wiki --server "http://127.0.0.1" --scriptpath "" --pass "only-for-this-bench" --skins Vector "Valley wiki" Admin > load.log 2>&1
    # The address is that of the request.
    echo '$wgServer = "http://" . ($_SERVER["HTTP_HOST"] ?? "127.0.0.1"); $wgJobRunRate = 0; $wgDefaultSkin = "vector"; wfLoadSkin("Vector");' >> wiki/LocalSettings.php
    python3 - <<'P'
import json, os, subprocess
world = json.load(open("world.json"))
edits = []
for n, page in enumerate(world["pages"]):
    other = world["pages"][(n + 5) % len(world["pages"])]
    paragraphs = page["paragraphs"]
    text = paragraphs[0] + "\n\n" + ("== More ==\n" + "\n\n".join(paragraphs[1:]) if len(paragraphs) > 1 else "")
    edits.append((page["title"], text + f'\n\nSee also [[{other["title"]}]].\n\n[[Category:{page["section"]}]]\n'))
edits.append(("Main Page", "Welcome to the wiki of the valley.\n\n" + "\n".join(f'* [[:Category:{s}|{s}]]' for s in world["sections"])))
for section in world["sections"]: edits.append((f"Category:{section}", f"Pages about {section.lower()}."))
for title, text in edits:
    subprocess.run(["php", "wiki/maintenance/edit.php", "-u", "Admin", title], input=text.encode(), check=True, stdout=subprocess.DEVNULL)
subprocess.run(["php", "wiki/maintenance/runJobs.php"], check=True, stdout=subprocess.DEVNULL)
at = lambda title: "/index.php/" + title.replace(" ", "_")
json.dump({"index": at("Main Page"), "listings": [], "sections": {s: at("Category:" + s) for s in world["sections"]},
  "pages": {page["id"]: at(page["title"]) for page in world["pages"]}, "others": ["/index.php?title=Special:UserLogin"]}, open("truth.json", "w"))
P
    ;;
  serve) cd wiki; exec php -S "127.0.0.1:$3" ;;
esac
