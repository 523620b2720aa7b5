# DokuWiki (apt), a wiki without a database. dokuwiki.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install) [ -d /usr/share/dokuwiki ] || { apt-get update -q; DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends dokuwiki php-cli php-xml php-mbstring; } ;;
  load)
    rm -rf wiki && cp -rL /usr/share/dokuwiki wiki 2>/dev/null || true
    rm -rf wiki/conf wiki/data && cp -rL /etc/dokuwiki wiki/conf 2>/dev/null || true; mkdir -p wiki/data
    for folder in attic cache index locks log media media_attic media_meta meta pages tmp; do mkdir -p wiki/data/$folder; done
    # The copy keeps its data in its own folder.
    rm -f wiki/inc/preload.php
    cat > wiki/conf/local.php <<'P'
<?php
$conf['title'] = 'Handbook of the valley'; $conf['license'] = 'cc-by-sa'; $conf['useacl'] = 0; $conf['savedir'] = './data'; $conf['userewrite'] = 0; $conf['updatecheck'] = 0;
P
    python3 - <<'P'
import json, re, os
world = json.load(open("world.json"))
slug = lambda title: re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")
pages = {page["id"]: f'{slug(page["section"])}:{slug(page["title"])}' for page in world["pages"]}
def write(name, text):
    file = "wiki/data/pages/" + name.replace(":", "/") + ".txt"
    os.makedirs(os.path.dirname(file), exist_ok=True); open(file, "w").write(text)
for n, page in enumerate(world["pages"]):
    paragraphs = page["paragraphs"]
    other = world["pages"][(n + 5) % len(world["pages"])]
    text = f'====== {page["title"]} ======\n\n{paragraphs[0]}\n\n'
    if len(paragraphs) > 1: text += "===== More =====\n\n" + "\n\n".join(paragraphs[1:]) + "\n\n"
    write(pages[page["id"]], text + f'See also [[{pages[other["id"]]}|{other["title"]}]].\n')
start = "====== Handbook ======\n\nWelcome. Choose a part:\n\n"
for section in world["sections"]:
    start += f'  * [[{slug(section)}:start|{section}]]\n'
    write(slug(section) + ":start", f'====== {section} ======\n\n' + "".join(f'  * [[{pages[p["id"]]}|{p["title"]}]]\n' for p in world["pages"] if p["section"] == section))
write("start", start)
at = lambda name: "/doku.php?id=" + name
json.dump({"index": at("start"), "listings": [], "sections": {s: at(slug(s) + ":start") for s in world["sections"]},
  "pages": {key: at(name) for key, name in pages.items()}, "others": [at("start") + "&do=login", at("start") + "&do=recent"]}, open("truth.json", "w"))
P
    ;;
  serve) cd wiki; exec php -S "127.0.0.1:$3" ;;
esac
