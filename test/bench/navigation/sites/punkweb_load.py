import json, sys
import django
django.setup()
from django.db import transaction
transaction.set_autocommit(False)  # One commit for all rows.
from datetime import datetime
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils.text import slugify
from punkweb_bb.models import Category, Subcategory, Thread, Post

world = json.load(open(sys.argv[1]))
when = lambda text: datetime.fromisoformat(text.replace("Z", "+00:00"))
User = get_user_model()
users = {name: User.objects.create_user(name, f"u{n}@example.org", "x") for n, name in enumerate(world["authors"])}
category = Category.objects.create(name="Boards", slug="boards")
boards = {}
for order, board in enumerate(world["boards"]):
    boards[board["id"]] = Subcategory.objects.create(category=category, name=board["title"],
        slug=slugify(board["title"]), description=board["description"], order=order)
threads = {}
for thread in world["threads"]:
    first, last = thread["posts"][0], thread["posts"][-1]
    text = lambda post: "\n\n".join(post["paragraphs"])
    made = Thread.objects.create(subcategory=boards[thread["board"]], user=users[first["author"]],
        title=thread["title"], content=text(first), is_pinned=thread["pinned"])
    for post in thread["posts"][1:]:
        answer = Post.objects.create(thread=made, user=users[post["author"]], content=text(post))
        Post.objects.filter(pk=answer.pk).update(created_at=when(post["date"]), updated_at=when(post["date"]))
    Thread.objects.filter(pk=made.pk).update(created_at=when(first["date"]), updated_at=when(first["date"]),
        last_post_created_at=when(last["date"]))
    threads[thread["id"]] = made.get_absolute_url()
json.dump({
    "index": reverse("punkweb_bb:index"), "listings": [],
    "boards": {key: board.get_absolute_url() for key, board in boards.items()}, "threads": threads,
    "others": [reverse("punkweb_bb:profile", args=[user.id]) for user in list(users.values())[:3]]
        + [reverse("punkweb_bb:login"), reverse("punkweb_bb:members")],
}, open(sys.argv[2], "w"))
transaction.commit()
