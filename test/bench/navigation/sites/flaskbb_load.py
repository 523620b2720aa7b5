import json, os, sys
from datetime import datetime, timezone
from flaskbb import create_app
from flaskbb.extensions import db
from flaskbb.forum.models import Category, Forum, Post, Topic
from flaskbb.user.models import Group, User
from flaskbb.utils.populate import create_default_groups, create_default_settings, create_latest_db

app = create_app(os.path.abspath(sys.argv[1]))
world = json.load(open(sys.argv[2]))
when = lambda text: datetime.strptime(text[:19], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)
with app.test_request_context():
    create_latest_db()
    create_default_groups()
    create_default_settings()
    users = {}
    for n, name in enumerate(world["authors"]):
        users[name] = User(username=name, email="u%d@example.org" % n, password="x", primary_group_id=Group.get_member_group().id,
            activated=True, date_joined=datetime(2020, 1 + n % 12, 3 + n, tzinfo=timezone.utc)).save()
    category = Category(title="Boards", position=1).save()
    boards = {}
    for order, board in enumerate(world["boards"]):
        boards[board["id"]] = Forum(title=board["title"], description=board["description"], category_id=category.id, position=order).save()
    threads = {}
    # The oldest thread comes first, so that the last post of each board is its newest.
    for thread in sorted(world["threads"], key=lambda one: one["posts"][-1]["date"]):
        topic, posts = Topic(title=thread["title"]), []
        for post in thread["posts"]:
            made = Post(content="\n\n".join(post["paragraphs"]))
            if not posts: topic.save(user=users[post["author"]], forum=boards[thread["board"]], post=made)
            else: made.save(user=users[post["author"]], topic=topic)
            made.date_created = when(post["date"])
            posts.append(made)
        topic.date_created, topic.last_updated = posts[0].date_created, posts[-1].date_created
        topic.important = thread["pinned"]
        topic.forum.last_post_created = topic.last_updated
        db.session.commit()
        threads[thread["id"]] = topic.url
    json.dump({"index": "/", "listings": [], "boards": {key: board.url for key, board in boards.items()}, "threads": threads,
        "others": [user.url for user in list(users.values())[:3]] + ["/auth/login", "/memberlist"]}, open(sys.argv[3], "w"))
