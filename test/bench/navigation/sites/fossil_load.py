"""Writes the posts of a world as artifacts of Fossil's forum. A post names its thread and its parent by their hashes."""
import hashlib, json, sys

world = json.load(open(sys.argv[1]))
escaped = lambda text: text.replace("\\", "\\\\").replace(" ", "\\s").replace("\n", "\\n")
hashes, threads, messages = {}, {}, {}
count = 0
# Posts are stored in the order of their dates, so that a parent is stored before its answers.
posts = sorted((post["date"], thread["id"], n) for thread in world["threads"] for n, post in enumerate(thread["posts"]))
by_id = {thread["id"]: thread for thread in world["threads"]}
for date, thread_id, n in posts:
    thread = by_id[thread_id]
    post = thread["posts"][n]
    text = "\n\n".join(post["paragraphs"]).encode()
    cards = [f"D {date[:19]}.{n % 1000:03d}"]
    if n == 0:
        cards.append(f"H {escaped(thread['title'])}")
    else:
        parent = thread["posts"][max(0, n - 1 - n % 2)]
        cards += [f"G {hashes[thread['posts'][0]['id']]}", f"I {hashes[parent['id']]}"]
    cards += ["N text/x-markdown", f"U {escaped(post['author'])}", f"W {len(text)}"]
    body = "\n".join(cards).encode() + b"\n" + text + b"\n"
    body += b"Z " + hashlib.md5(body).hexdigest().encode() + b"\n"
    hashes[post["id"]] = hashlib.sha3_256(body).hexdigest()
    open(f"{sys.argv[2]}/{count:05d}", "wb").write(body)
    count += 1
    messages[post["id"]] = f"/forumpost/{hashes[post['id']][:10]}"
    if n == 0: threads[thread_id] = messages[post["id"]]
json.dump({"index": "/forum", "listings": [], "boards": {board["id"]: "/forum" for board in world["boards"][:1]},
    "threads": threads, "messages": messages, "others": ["/login", "/sitemap"]}, open(sys.argv[3], "w"))
