import json, sys
import django
django.setup()
from datetime import datetime, timezone
from django.contrib.auth import get_user_model
from django.contrib.sites.models import Site
from pybb.models import Category, Forum, Post, Topic

world = json.load(open(sys.argv[1]))
when = lambda text: datetime.strptime(text[:19], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)
Site.objects.get_or_create(pk=1, defaults={"domain": "127.0.0.1", "name": "Oficina"})
users = {name: get_user_model().objects.create_user(name, "u%d@example.org" % n, "x") for n, name in enumerate(world["authors"])}
category = Category.objects.create(name="Oficina", slug="oficina", position=1)
# The last board is a board inside the first one.
boards = {}
for order, board in enumerate(world["boards"]):
    parent = boards["b0"] if order == len(world["boards"]) - 1 else None
    boards[board["id"]] = Forum.objects.create(category=category, name=board["title"], slug="quadro-%d" % order, description=board["description"], position=order, parent=parent)
threads = {}
for thread in sorted(world["threads"], key=lambda one: one["posts"][-1]["date"]):
    topic = Topic.objects.create(forum=boards[thread["board"]], name=thread["title"], slug=thread["id"] + "-tema", user=users[thread["posts"][0]["author"]], sticky=thread["pinned"])
    for post in thread["posts"]:
        Post.objects.create(topic=topic, user=users[post["author"]], body="\n\n".join(post["paragraphs"]), created=when(post["date"]), user_ip="127.0.0.1")
    Topic.objects.filter(pk=topic.pk).update(created=when(thread["posts"][0]["date"]), updated=when(thread["posts"][-1]["date"]))
    threads[thread["id"]] = topic.get_absolute_url()
for forum in Forum.objects.all():
    forum.update_counters()
for topic in Topic.objects.all():
    topic.update_counters()
json.dump({"index": "/forum/", "listings": [], "boards": {key: board.get_absolute_url() for key, board in boards.items()}, "threads": threads,
    "others": ["/accounts/login/", "/forum/users/%s/" % world["authors"][0]]}, open(sys.argv[2], "w"))
