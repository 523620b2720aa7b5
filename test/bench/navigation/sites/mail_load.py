"""Writes the threads of a world as a mailbox with replies, quotes and signatures."""
import json, sys
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
import mailbox, os, textwrap

world = json.load(open(sys.argv[1]))
if os.path.exists(sys.argv[2]): os.remove(sys.argv[2])
box = mailbox.mbox(sys.argv[2])
when = lambda text: datetime.fromisoformat(text.replace("Z", "+00:00"))
messages = []
for thread in world["threads"]:
    for n, post in enumerate(thread["posts"]):
        mail = EmailMessage()
        address = post["author"].lower().replace(" ", ".") + "@example.org"
        mail["From"] = f'{post["author"]} <{address}>'
        mail["To"] = "talk@lists.example.org"
        mail["Subject"] = thread["title"] if n == 0 else "Re: " + thread["title"]
        mail["Date"] = format_datetime(when(post["date"]))
        mail["Message-ID"] = f'<{post["id"]}@lists.example.org>'
        body = "\n\n".join(textwrap.fill(paragraph, 72) for paragraph in post["paragraphs"])
        if n > 0:
            parent = thread["posts"][max(0, n - 1 - n % 2)]
            mail["In-Reply-To"] = f'<{parent["id"]}@lists.example.org>'
            mail["References"] = " ".join(f'<{p["id"]}@lists.example.org>' for p in ([thread["posts"][0], parent] if parent is not thread["posts"][0] else [parent]))
            quoted = textwrap.fill(parent["paragraphs"][0], 70).split("\n")[:3]
            body = f'{parent["author"]} wrote:\n' + "\n".join("> " + line for line in quoted) + "\n\n" + body
        if n % 3 == 0: body += f'\n\n-- \n{post["author"]}'
        mail.set_content(body)
        messages.append((post["date"], mail))
for _, mail in sorted(messages, key=lambda entry: entry[0]): box.add(mail)
box.flush()
