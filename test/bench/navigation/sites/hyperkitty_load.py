import json, sys
import django
django.setup()
from hyperkitty.models import Email, MailingList

world = json.load(open(sys.argv[1]))
for mlist in MailingList.objects.all():
    mlist.archive_policy = 2
    mlist.save()
base = "/hyperkitty/list/talk@lists.example.org/"
threads = {}
for thread in world["threads"]:
    email = Email.objects.get(message_id=thread["posts"][0]["id"] + "@lists.example.org")
    threads[thread["id"]] = f"{base}thread/{email.thread.thread_id}/"
months = sorted({post["date"][:7] for thread in world["threads"] for post in thread["posts"]})[-3:]
json.dump({"index": base, "listings": [base + "latest"], "boards": {"b0": base + "latest"}, "threads": threads, "others": []},
    open(sys.argv[2], "w"))
