import json, sys
import django
django.setup()
from django.db import transaction
transaction.set_autocommit(False)  # One commit for all rows.
from datetime import datetime
from django.contrib.auth import get_user_model
from django.urls import reverse
from machina.apps.forum.models import Forum
from machina.apps.forum_conversation.models import Topic, Post
from machina.apps.forum_permission.models import ForumPermission, GroupForumPermission, UserForumPermission

world = json.load(open(sys.argv[1]))
when = lambda text: datetime.fromisoformat(text.replace("Z", "+00:00"))
User = get_user_model()
users = {name: User.objects.create_user(name, f"u{n}@example.org", "x") for n, name in enumerate(world["authors"])}
for codename in ("can_see_forum", "can_read_forum"):
    permission = ForumPermission.objects.get(codename=codename)
    UserForumPermission.objects.create(permission=permission, anonymous_user=True, has_perm=True)
category = Forum.objects.create(name="Forum", type=Forum.FORUM_CAT)
boards = {}
for board in world["boards"]:
    boards[board["id"]] = Forum.objects.create(name=board["title"], description=board["description"], type=Forum.FORUM_POST, parent=category)
threads = {}
for thread in sorted(world["threads"], key=lambda thread: thread["posts"][-1]["date"]):
    first, last = thread["posts"][0], thread["posts"][-1]
    topic = Topic.objects.create(forum=boards[thread["board"]], poster=users[first["author"]], subject=thread["title"],
        type=Topic.TOPIC_STICKY if thread["pinned"] else Topic.TOPIC_POST, status=Topic.TOPIC_UNLOCKED, approved=True)
    for n, post in enumerate(thread["posts"]):
        made = Post.objects.create(topic=topic, poster=users[post["author"]], approved=True,
            subject=thread["title"] if n == 0 else "Re: " + thread["title"], content="\n\n".join(post["paragraphs"]))
        Post.objects.filter(pk=made.pk).update(created=when(post["date"]), updated=when(post["date"]))
    Topic.objects.filter(pk=topic.pk).update(created=when(first["date"]), updated=when(last["date"]), last_post_on=when(last["date"]))
    threads[thread["id"]] = reverse("forum_conversation:topic", args=[topic.forum.slug, topic.forum.pk, topic.slug, topic.pk])
for board in boards.values():
    newest = Topic.objects.filter(forum=board).order_by("-last_post_on").first()
    Forum.objects.filter(pk=board.pk).update(last_post_on=newest.last_post_on if newest else None)
json.dump({
    "index": reverse("forum:index"), "listings": [],
    "boards": {key: reverse("forum:forum", args=[board.slug, board.pk]) for key, board in boards.items()}, "threads": threads,
    "others": [reverse("forum_member:profile", args=[user.pk]) for user in list(users.values())[:3]] + ["/accounts/login/"],
}, open(sys.argv[2], "w"))
transaction.commit()
