import glob, json, re, sys, os
world = json.load(open(sys.argv[1])); site = sys.argv[2]
messages = {}
for file in glob.glob(site + "/msg*.html"):
    found = re.search(r"<!--X-Message-Id: (p\d+)&#45;?@|<!--X-Message-Id: (p\d+)@", open(file, errors="replace").read().replace("&#64;", "@"))
    if found: messages[found.group(1) or found.group(2)] = "/" + os.path.basename(file)
json.dump({"index": "/threads.html", "listings": ["/maillist.html"], "boards": {board["id"]: "/threads.html" for board in world["boards"][:1]},
    "messages": messages, "others": []}, open(sys.argv[3], "w"))
