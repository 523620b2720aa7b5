/**
 * Tests the live view of a session over its WebSocket: frames, input from a person who has control, and
 * agents that wait meanwhile.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(30_000);
const ROOM = "seen";

interface Frame {
  readonly seq: number;
  readonly width: number;
  readonly height: number;
  readonly jpeg: Uint8Array;
}

interface Message {
  readonly type: string;
  readonly mine?: boolean;
  readonly held_by?: string | null;
  readonly error?: { readonly code: string };
}

const did: string[] = [];

const site = siteOfTests({
  "/": html(
    "Seen",
    `<style>body { margin: 0 } button { position: absolute; left: 100px; top: 100px; width: 200px; height: 100px }
       input { position: absolute; left: 100px; top: 300px; width: 200px; height: 40px }</style>
       <button onclick="fetch('/did/click')">Press</button>
       <input aria-label="Name" onchange="fetch('/did/' + this.value)">`,
  ),
  "/moving": html(
    "Moving",
    "<h1>0</h1><script>setInterval(() => document.querySelector('h1').textContent++, 50)</script>",
  ),
  "*": (request) => {
    const path = new URL(request.url).pathname;
    if (path.startsWith("/did/")) did.push(path.slice("/did/".length));
    return new Response("");
  },
});

const cairn = await cairnOfTests();

beforeAll(async () => {
  await cairn.call("start_browser_session", {
    room_name: ROOM,
    initial_url: site.url("/"),
    viewport_width: 800,
    viewport_height: 600,
  });
});

/** Opens the socket of a viewer and collects the frames and messages that it receives. */
function viewer(query = "") {
  const socket = new WebSocket(`${cairn.url.replace("http", "ws")}/ws/sessions/${ROOM}/view${query}`);
  socket.binaryType = "arraybuffer";
  const frames: Frame[] = [];
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  let ended: string | undefined;
  socket.onclose = ({ reason }) => {
    ended = reason;
    for (const wake of waiting) wake();
  };
  socket.onmessage = ({ data }) => {
    if (typeof data === "string") messages.push(JSON.parse(data));
    else {
      const length = new DataView(data).getUint32(0);
      const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
      frames.push({ ...header, jpeg: new Uint8Array(data, 4 + length) });
    }
    for (const wake of waiting) wake();
  };
  const until = async <Found>(find: () => Found | undefined): Promise<Found> => {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (ended !== undefined) throw new Error(`closed (${ended}): ${JSON.stringify(messages)}`);
      await new Promise<void>((wake) => waiting.add(wake));
    }
  };
  return {
    socket,
    frames,
    messages,
    frame: (after = 0) => until(() => frames.find(({ seq }) => seq > after)),
    message: (matches: (message: Message) => boolean) => until(() => messages.find(matches)),
    send: (message: unknown) => socket.send(JSON.stringify(message)),
  };
}

const click = (x: number, y: number) => [
  { type: "mouse_move", x, y },
  { type: "mouse_down", x, y },
  { type: "mouse_up", x, y },
];

const untilDone = async (count: number): Promise<void> => {
  while (did.length < count) await Bun.sleep(20);
};

test("a viewer of the live view receives the picture of the page, even if the viewer joins late", async () => {
  const { frame, frames, socket } = viewer("?max_width=400");
  const { jpeg, width, height } = await frame();
  expect([...jpeg.slice(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  expect([width, height]).toEqual([800, 600]);
  const { seq } = frames.at(-1) ?? { seq: 0 };
  await cairn.call("execute_action", {
    room_name: ROOM,
    action_type: "find_text",
    params: { text: "Press" },
  });
  const late = viewer();
  expect((await late.frame()).seq).toBeGreaterThanOrEqual(seq);
  late.socket.close();
  socket.close();
});

test("a person who takes control of a browser can click, type and paste, while agents and viewers are refused", async () => {
  const person = viewer();
  const other = viewer();
  await Promise.all([person.frame(), other.frame()]);
  person.send({ type: "take_control" });
  expect(await person.message(({ type }) => type === "control")).toMatchObject({ mine: true });
  expect(await other.message(({ type }) => type === "control")).toMatchObject({ mine: false });

  other.send({ type: "input", events: click(0.25, 0.25) });
  expect((await other.message(({ type }) => type === "refused")).error?.code).toBe("session.not_held");
  other.send({ type: "take_control" });
  await other.message(({ error }) => error?.code === "session.held");
  const { body } = await cairn.post("/mcp/tools/call", {
    tool: "execute_action",
    arguments: { room_name: ROOM, action_type: "scroll", params: { direction: "down" } },
  });
  expect(body).toMatchObject({ success: false, data: { code: "held" } });
  expect(did).toEqual([]);
  let waited = false;
  const waiting = cairn
    .call("execute_action", {
      room_name: ROOM,
      action_type: "scroll",
      params: { direction: "down" },
      when_held: "wait",
    })
    .finally(() => {
      waited = true;
    });

  person.send({ type: "input", events: click(0.25, 0.25) });
  await untilDone(1);
  person.send({
    type: "input",
    events: [
      ...click(0.25, 0.53),
      { type: "paste", text: "Ad" },
      { type: "key_down", key: "a", code: "KeyA", text: "a" },
      { type: "key_up", key: "a", code: "KeyA" },
      { type: "key_down", key: "Enter", code: "Enter", text: "\r" },
      { type: "key_up", key: "Enter", code: "Enter" },
    ],
  });
  await untilDone(2);
  expect(did).toEqual(["click", "Ada"]);

  expect(waited).toBe(false);
  person.send({ type: "release_control" });
  expect((await waiting).body.success).toBe(true);
  await other.message(({ type, held_by }) => type === "control" && held_by === null);
  const again = await cairn.call("execute_action", {
    room_name: ROOM,
    action_type: "scroll",
    params: { direction: "down" },
  });
  expect(again.body.success).toBe(true);
  for (const { socket } of [person, other]) socket.close();
});

test("control of a browser becomes free when the socket of the person who holds it breaks", async () => {
  const person = viewer();
  const other = viewer();
  await Promise.all([person.frame(), other.frame()]);
  person.send({ type: "take_control" });
  await person.message(({ type }) => type === "control");
  // Bun's `terminate` closes the connection without a closing handshake, as when a network breaks.
  (person.socket as WebSocket & { terminate(): void }).terminate();
  await other.message(({ type, held_by }) => type === "control" && held_by === null);
  other.socket.close();
});

test.if(isFull)(
  "a viewer that hides the picture of a changing page receives frames again when it shows the picture",
  async () => {
    const act = { room_name: ROOM, action_type: "navigate" };
    await cairn.call("execute_action", { ...act, params: { url: site.url("/moving") } });
    const { socket, frame, frames, message, send } = viewer("?fps=30");
    await frame();
    send({ type: "hide" });
    send({ type: "ping" });
    await message(({ type }) => type === "heartbeat");
    // One frame may still arrive, because it was requested before the viewer hid the picture.
    await Bun.sleep(500);
    const hidden = frames.length;
    await Bun.sleep(500);
    expect(frames).toHaveLength(hidden);
    send({ type: "show" });
    await frame(frames.at(-1)?.seq);
    socket.close();
    await cairn.call("execute_action", { ...act, params: { url: site.url("/") } });
  },
);

test("the live view of an unknown session is closed with the reason", async () => {
  const socket = new WebSocket(`${cairn.url.replace("http", "ws")}/ws/sessions/nowhere/view`);
  const reason = await new Promise<string>((resolve) => {
    socket.onclose = (event) => resolve(event.reason);
  });
  expect(reason).toBe("session.not_found");
});

test("taking and returning control of a browser is recorded in the audit log", async () => {
  const { body } = await cairn.get("/api/audit?limit=50");
  const acts = body.entries.map(({ act }: { act: string }) => act);
  expect(acts).toContain("take_session_control");
  expect(acts).toContain("release_session_control");
});
