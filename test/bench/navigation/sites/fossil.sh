# Fossil (apt: fossil), a version control system with a forum of nested answers. fossil.sh install|load|serve <folder> [port]
set -eu
here=$(cd "$(dirname "$0")" && pwd); cd "$2"
case $1 in
  install) command -v fossil >/dev/null || { apt-get update -q; DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends fossil; } ;;
  load)
    export HOME=$PWD USER=admin
    rm -rf forum.fossil posts checkout && mkdir posts checkout
    fossil new --project-name "The Workshop" forum.fossil > load.log 2>&1
    python3 "$here/fossil_load.py" world.json posts truth.json
    (cd checkout && fossil open ../forum.fossil --nosync && for post in ../posts/*; do fossil test-content-put "$post"; done) >> load.log 2>&1
    fossil rebuild forum.fossil >> load.log 2>&1
    # Visitors may read the forum, follow its links, and read the wiki.
    fossil sql -R forum.fossil "UPDATE user SET cap='hj2' WHERE login='nobody'" >> load.log 2>&1 ;;
  serve) HOME=$PWD exec fossil server --port "$3" --localhost forum.fossil ;;
esac
