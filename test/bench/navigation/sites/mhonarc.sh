# MHonArc (apt: mhonarc), archives of mailing lists: one static page for each message. mhonarc.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install) command -v mhonarc >/dev/null || { apt-get update -q; DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends mhonarc; } ;;
  load)
    rm -rf site && mkdir -p site
    python3 "$here/mail_load.py" world.json list.mbox
    mhonarc -quiet -outdir site -reverse -treverse -multipg -idxsize 40 -title "The list by date" -ttitle "The list by thread" list.mbox > load.log 2>&1
    python3 "$here/mhonarc_truth.py" world.json site truth.json ;;
  serve) exec python3 -m http.server --bind 127.0.0.1 --directory site "$3" ;;
esac
