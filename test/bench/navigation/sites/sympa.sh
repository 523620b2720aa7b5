# The archive pages of Sympa (apt: sympa, unpacked only, for its own templates; apt: mhonarc, libtemplate-perl): one folder for each month, one page for each message. sympa.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install)
    apt-get update -q; DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends mhonarc libtemplate-perl
    apt-get download -q sympa && dpkg -x sympa_*.deb software ;;
  load)
    rm -rf site months && mkdir -p site months
    python3 "$here/mail_load.py" world.json list.mbox
    perl "$here/sympa_pages.pl" software/usr/share/sympa/default list.mbox site > load.log 2>&1
    python3 - <<'P'
import glob, json, re
world, messages = json.load(open("world.json")), {}
for file in glob.glob("site/sympa/arc/talk/*/msg*.html"):
    found = re.search(r"<!--X-Message-Id: (p\d+)(?:&#45;|@|&#64;)", open(file, errors="replace").read())
    if found: messages[found.group(1)] = file[len("site"):]
lists = sorted(("/" + file.split("/", 1)[1] for file in glob.glob("site/sympa/arc/talk/*/*.html") if re.search(r"/(mail|thrd)\d+\.html$", file)), reverse=True)
index = next(file for file in lists if file.endswith("/thrd1.html"))
json.dump({"index": index, "listings": [file for file in lists if file.endswith("1.html")][1:30], "boards": {"b0": index},
    "messages": messages, "others": []}, open("truth.json", "w"))
P
    ;;
  serve) exec python3 -m http.server --bind 127.0.0.1 --directory site "$3" ;;
esac
