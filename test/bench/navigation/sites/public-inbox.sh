# public-inbox (apt), archives of mailing lists: whole threads in one <pre>. public-inbox.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"; export HOME=$PWD PI_CONFIG=$PWD/config
case $1 in
  install) command -v public-inbox-httpd >/dev/null || { apt-get update -q; DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends public-inbox libdbd-sqlite3-perl libplack-perl; } ;;
  load)
    rm -rf inbox config maildir .public-inbox
    python3 "$here/mail_load.py" world.json list.mbox
    git config -f config publicinboxmda.spamcheck none
    public-inbox-init -V2 talk "$PWD/inbox" http://127.0.0.1/talk talk@lists.example.org > load.log 2>&1
    python3 - <<'P'
import mailbox, os, subprocess
for mail in mailbox.mbox("list.mbox"):
    subprocess.run(["public-inbox-mda", "--no-precheck"], input=mail.as_bytes(), check=True, env={**os.environ, "ORIGINAL_RECIPIENT": "talk@lists.example.org"}, stderr=open("load.log", "a"))
P
    python3 - <<'P'
import json
world = json.load(open("world.json"))
# A thread stands whole at /T/ and at /t/ of its first message, and each message has its own page.
json.dump({"index": "/talk/", "listings": [], "boards": {"b0": "/talk/"},
  "threads": {t["id"]: f'/talk/{t["posts"][0]["id"]}@lists.example.org/T/' for t in world["threads"]},
  "messages": {p["id"]: f'/talk/{p["id"]}@lists.example.org/' for t in world["threads"] for p in t["posts"]},
  "others": ["/talk/_/text/help/"]}, open("truth.json", "w"))
P
    ;;
  serve) exec public-inbox-httpd -l "127.0.0.1:$3" ;;
esac
