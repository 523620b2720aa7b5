"""Runs the Python examples of the protocol specification's text against a started Cairn.

Only addresses are replaced. Each example prints one JSON line: what a client observed.

Usage: protocol-examples.py <text.md> <cairn url> <redis port> <site url>
"""

import asyncio
import io
import json
import logging
import re
import sys
import textwrap
from contextlib import redirect_stdout

TEXT, CAIRN, REDIS_PORT, SITE = sys.argv[1:5]
SECONDS = 30


def examples() -> list[str]:
    """The Python blocks of the text, with the addresses of this run."""
    with open(TEXT, encoding="utf-8") as file:
        blocks = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
    replaced = []
    for block in blocks:
        block = block.replace("port=6379", f"port={REDIS_PORT}").replace("http://localhost:8000", CAIRN)
        block = re.sub(
            r'Queue\("([\w-]+)"\)',
            rf'Queue("\1", {{"connection": "redis://localhost:{REDIS_PORT}"}})',
            block,
        )
        replaced.append(re.sub(r"https://(example\.com|www\.google\.com)", SITE, block))
    return replaced


BLOCKS = examples()


def block(*marks: str) -> str:
    """The only example that contains all marks."""
    found = [text for text in BLOCKS if all(mark in text for mark in marks)]
    if len(found) != 1:
        raise LookupError(f"{len(found)} examples contain {marks}")
    return found[0]


def define(text: str, **names) -> dict:
    """Runs an example's definitions; `asyncio.run` at its end is left out."""
    scope = {"logger": logging.getLogger("example"), **names}
    exec(re.sub(r"^asyncio\.run\(.*\)$", "", text, flags=re.MULTILINE), scope)
    return scope


def as_function(text: str, **names):
    """An example that awaits at its top level, as an async function."""
    body = textwrap.indent(text, "    ")
    scope = define(f"async def example():\n{body}\n    return locals()", **names)
    return scope["example"]


def report(name: str, **observed) -> None:
    print(json.dumps({"example": name, **observed}), flush=True)


async def until(condition, what: str):
    deadline = asyncio.get_running_loop().time() + SECONDS
    while not condition():
        if asyncio.get_running_loop().time() > deadline:
            raise TimeoutError(what)
        await asyncio.sleep(0.02)


async def mcp_client() -> None:
    scope = define(block("class BrowserController"))
    seen = []

    class Controller(scope["BrowserController"]):
        async def _on_page_navigation(self, event):
            seen.append(event["url"])

        async def _on_action_error(self, event):
            seen.append(event["error"])

    controller = Controller(CAIRN, "python-mcp")
    await controller.connect()
    started = await controller.start_browser_session(initial_url=f"{SITE}/")
    moved = await controller.execute_action("navigate", {"url": f"{SITE}/two"})
    explored = await controller.start_knowledge_exploration(f"{SITE}/", max_pages=3, job_id="python-tool")
    await until(lambda: any(str(url).endswith("/two") for url in seen), f"a navigation event; seen: {seen}")
    report("mcp client", status=started.get("status"), moved=moved.get("success"), job=explored.get("job_id"), seen=seen)


async def subscription() -> None:
    events = []
    listening = asyncio.create_task(
        as_function(block('channel = f"browser:events:{room_name}"', "handle_event(event)", "pubsub = redis.pubsub()"),
                    room_name="python-mcp", handle_event=events.append)()
    )
    await asyncio.sleep(0.5)
    scope = define(block("class BrowserController"))
    controller = scope["BrowserController"](CAIRN, "python-mcp")
    controller.session = scope["httpx"].AsyncClient(base_url=CAIRN, timeout=30.0)
    await controller.execute_action("navigate", {"url": f"{SITE}/"})
    await until(lambda: any(event["type"] == "page_navigation" for event in events), "page_navigation")
    listening.cancel()
    report("event subscription", types=sorted({event["type"] for event in events}))


async def knowledge_client() -> None:
    Client = define(block("class KnowledgeRetrievalClient"))["KnowledgeRetrievalClient"]
    client = Client(CAIRN)
    client.redis = type(client.redis)(host="localhost", port=int(REDIS_PORT))
    progress = []

    async def collect(message):
        progress.append(message)

    asyncio.create_task(client.subscribe_to_progress("python-job", collect))
    await asyncio.sleep(0.5)
    started = await client.start_exploration(f"{SITE}/slow/0", max_pages=40, max_depth=8, job_id="python-job")
    paused = await client.pause_job("python-job")
    resumed = await client.resume_job("python-job")
    partial = await client.get_results("python-job", partial=True)
    status = {}
    while status.get("status") not in ("completed", "failed"):
        status = await client.get_status("python-job")
        await asyncio.sleep(0.1)
    results = await client.get_results("python-job")
    await until(lambda: progress and progress[-1]["status"] == "completed", "the last progress")
    report(
        "knowledge client",
        started=started.get("status"), paused=paused.get("status"), resumed=resumed.get("status"),
        partial="pages" in partial, status=status["status"], pages=len(results["pages"]),
        told=progress[-1]["completed"], fields=sorted(progress[-1]),
    )


async def progress_subscription() -> None:
    from redis.asyncio import Redis

    text = block('channel = f"exploration:{job_id}:progress"', "print(f\"Progress:")
    pubsub = Redis(host="localhost", port=int(REDIS_PORT)).pubsub()
    printed = io.StringIO()
    job = "python-progress"
    with redirect_stdout(printed):
        listening = asyncio.create_task(as_function(text, job_id=job, pubsub=pubsub, json=json)())
        await asyncio.sleep(0.5)
        Client = define(block("class KnowledgeRetrievalClient"))["KnowledgeRetrievalClient"]
        await Client(CAIRN).start_exploration(f"{SITE}/", max_pages=3, job_id=job)
        await until(lambda: "Progress: " in printed.getvalue(), "printed progress")
        listening.cancel()
    report("progress subscription", printed=printed.getvalue().splitlines()[-1])


async def queues() -> None:
    scope = define(block("class BrowserController"))
    controller = scope["BrowserController"](CAIRN, "room_py")
    controller.session = scope["httpx"].AsyncClient(base_url=CAIRN, timeout=30.0)
    await controller.start_browser_session(initial_url=f"{SITE}/")
    listener = define(block("async def listen_for_browser_events"))["listen_for_browser_events"]
    printed = io.StringIO()
    with redirect_stdout(printed):
        listening = asyncio.create_task(listener("room_py"))
        await asyncio.sleep(0.5)
        commands = define(block("async def navigate(session_id", "async def click(session_id"))
        await commands["navigate"]("py", f"{SITE}/two")
        await until(lambda: "Action completed: navigate" in printed.getvalue(), printed.getvalue())
        page = await controller.call_tool("analyze_page", {"room_name": "room_py"})
        await commands["click"]("py", page["data"]["highlightedElements"][0]["highlight_index"])
        await until(lambda: printed.getvalue().count("Action ") >= 2, printed.getvalue())
        # The room and the job id of the shorter example are in its text.
        other = scope["BrowserController"](CAIRN, "room_456")
        other.session = controller.session
        await other.start_browser_session(initial_url=f"{SITE}/two")
        queue = await as_function(block("navigate_session_123_1234567890"))()
        left = await queue["queue"].getJob("navigate_session_123_1234567890")
        while left is not None:
            await asyncio.sleep(0.05)
            left = await queue["queue"].getJob("navigate_session_123_1234567890")
        context = await other.call_tool("get_browser_context", {"room_name": "room_456"})
        listening.cancel()
    report("queues", printed=printed.getvalue().splitlines(), url=context.get("current_url") or context.get("url"))


async def rest() -> None:
    printed = io.StringIO()
    with redirect_stdout(printed):
        await define(block("async def control_browser"))["control_browser"]()
    report("rest", answers=printed.getvalue().splitlines())


async def main() -> None:
    for example in (mcp_client, subscription, knowledge_client, progress_subscription, queues, rest):
        await asyncio.wait_for(example(), SECONDS * 2)


asyncio.run(main())
