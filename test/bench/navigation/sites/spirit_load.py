import json, sys
import django
django.setup()
from django.db import transaction
transaction.set_autocommit(False)  # One commit for all rows.
from datetime import datetime
from django.contrib.auth import get_user_model
from django.utils import translation
from spirit.category.models import Category
from spirit.topic.models import Topic
from spirit.comment.models import Comment

translation.activate("de")
world = json.load(open(sys.argv[1]))
when = lambda text: datetime.fromisoformat(text.replace("Z", "+00:00"))
User = get_user_model()
users = {name: User.objects.create_user(name, f"u{n}@example.org", "x") for n, name in enumerate(world["authors"])}
boards = {}
for sort, board in enumerate(world["boards"]):
    boards[board["id"]] = Category.objects.create(title=board["title"], description=board["description"], sort=sort)
threads = {}
for thread in world["threads"]:
    first, last = thread["posts"][0], thread["posts"][-1]
    topic = Topic.objects.create(user=users[first["author"]], category=boards[thread["board"]], title=thread["title"],
        date=when(first["date"]), last_active=when(last["date"]), is_pinned=thread["pinned"], comment_count=len(thread["posts"]))
    for post in thread["posts"]:
        Comment.objects.create(user=users[post["author"]], topic=topic, date=when(post["date"]),
            comment="\n\n".join(post["paragraphs"]), comment_html="".join(f"<p>{p}</p>" for p in post["paragraphs"]))
    threads[thread["id"]] = topic.get_absolute_url()
json.dump({
    "index": "/", "listings": [],
    "boards": {key: board.get_absolute_url() for key, board in boards.items()}, "threads": threads,
    "others": [user.st.get_absolute_url() for user in list(users.values())[:3]] + ["/user/login/"],
}, open(sys.argv[2], "w"))
transaction.commit()
