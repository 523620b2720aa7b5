/**
 * Tests that a session with a guard does not send a message over a WebSocket if a press causes the message and it
 * asks for a change of data. A session of an agent has no guard and sends each message.
 */
import { afterEach, expect, test } from "bun:test";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { sessionStage } from "./session-in-shared-test-browser.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server that records the messages over its WebSocket. */
function socketServer() {
  const received: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request, upgrading) {
      return upgrading.upgrade(request) ? undefined : new Response("none", { status: 404 });
    },
    websocket: {
      message(socket, message) {
        const text = String(message);
        received.push(text);
        socket.send(text);
      },
    },
  });
  closing.push(() => server.stop(true));
  return { received, url: `ws://127.0.0.1:${server.port}/` };
}

const page = (url: string): string => `
  <button id="scene">Activate</button> <button id="rooms">Rooms</button> <button id="away">Status</button> <p id="out"></p>
  <script>
    const socket = new WebSocket(${JSON.stringify(url)});
    const send = (message) => socket.send(JSON.stringify(message));
    socket.onopen = () => { send({ type: "set_presence", value: "here" }); };
    socket.onmessage = ({ data }) => { out.textContent += JSON.parse(data).type + " "; };
    scene.onclick = () => send({ type: "call_service", domain: "scene", service: "turn_on" });
    rooms.onclick = () => send({ type: "config/rooms/list" });
    away.onclick = () => send({ type: "set_presence", value: "away" });
  </script>`;

async function stageOf(guarded: boolean) {
  const { received, url } = socketServer();
  const judged: { readonly url: string; readonly method: string; readonly body: string | undefined }[] = [];
  const guard = (request: (typeof judged)[number]) => {
    judged.push(request);
    return true;
  };
  const stage = await sessionStage({ given: guarded ? { guard } : {} });
  closing.push(stage.close);
  await stage.show(page(url));
  const press = async (name: string) =>
    expect((await stage.act("click", { role: "button", name })).success).toBe(true);
  const shown = async (text: string) => {
    while (!String(await stage.run("out.textContent")).includes(text)) await Bun.sleep(20);
  };
  await shown("set_presence");
  return { received, judged, stage, press, shown, url };
}

test("a WebSocket message that would change data is not sent if a press has caused it, and the session's guard gets this message", async () => {
  const { received, judged, press, shown, url } = await stageOf(true);
  await press("Activate");
  await press("Rooms");
  await shown("config/rooms/list");
  // The page itself has sent this kind of message before the first press, so the message is sent after a press too.
  await press("Status");
  await shown("set_presence config/rooms/list set_presence");
  expect(received.map((text) => JSON.parse(text).type)).toEqual([
    "set_presence",
    "config/rooms/list",
    "set_presence",
  ]);
  expect(judged.filter(({ method }) => method === "WEBSOCKET")).toMatchObject([
    { url, body: JSON.stringify({ type: "call_service", domain: "scene", service: "turn_on" }) },
  ]);
}, 60_000);

test.if(isFull)(
  "a session without a guard, such as that of an agent, sends each WebSocket message",
  async () => {
    const { received, press, shown } = await stageOf(false);
    await press("Activate");
    await shown("call_service");
    expect(received).toHaveLength(2);
  },
  60_000,
);
