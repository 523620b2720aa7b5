/** Tests `/mcp/events/{room_name}` and `/ws/explorations/{job_id}` over real sockets. */
import { afterEach, describe, expect, test } from "bun:test";
import { explorationTopic } from "../../../machines/exploration/build-exploration-events.ts";
import { sessionTopic } from "../../../machines/session/build-session-events.ts";
import { type TestGateway, testGateway } from "../test-gateway.ts";

const open: { readonly gateway: TestGateway; readonly sockets: WebSocket[] }[] = [];
afterEach(async () => {
  for (const { gateway, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.close();
    gateway.sockets.closeAll();
    await gateway.app.server?.stop(true);
  }
});

function listening() {
  const gateway = testGateway();
  gateway.app.listen({ hostname: "127.0.0.1", port: 0 });
  const port = gateway.app.server?.port ?? 0;
  const sockets: WebSocket[] = [];
  open.push({ gateway, sockets });
  return {
    ...gateway,
    port,
    /** Opens a socket and collects its messages. `next` returns them one after another. */
    // biome-ignore lint/suspicious/noExplicitAny: whatever is sent; tests look into it and fail on a wrong shape
    read(path: string): { readonly socket: WebSocket; next(): Promise<any> } {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
      sockets.push(socket);
      const come: unknown[] = [];
      const waiting: ((message: unknown) => void)[] = [];
      socket.onmessage = ({ data }) => {
        const waits = waiting.shift();
        if (waits) waits(JSON.parse(data));
        else come.push(JSON.parse(data));
      };
      return {
        socket,
        next: () =>
          new Promise((resolve) => {
            if (come.length > 0) resolve(come.shift());
            else waiting.push(resolve);
          }),
      };
    },
  };
}

const navigation = {
  type: "page_navigation",
  room_name: "a.room",
  url: "https://a.test/",
  timestamp: 1.5,
  seq: 7,
};

describe("a subscriber of a session", () => {
  test("receives only the events of that session, unchanged, and counts as one of the session's connections", async () => {
    const { cairn, read, call } = listening();
    const reader = read("/mcp/events/a.room");
    const { epoch } = await reader.next();
    const topic = sessionTopic("a.room");
    expect([...cairn.watchers.keys()]).toEqual([topic]);
    cairn.tell(topic, navigation);
    expect(await reader.next()).toEqual({ ...navigation, cursor: 1 });
    const count = async () => (await call("GET", "/rooms/a.room/connections")).body;
    await read("/mcp/events/a.room").next();
    expect(await count()).toEqual({ room_name: "a.room", connections: 2 });
    expect((await call("GET", "/rooms/b/connections")).body).toEqual({ room_name: "b", connections: 0 });
    reader.socket.close();
    while ((await count()).connections !== 1) await Bun.sleep(5);
    cairn.tell(topic, navigation);
    // The subscriber reconnects with the cursor of the last event that it has received, and then receives the
    // later events.
    const again = read(`/mcp/events/a.room?epoch=${epoch}&since=1`);
    expect(await again.next()).toMatchObject({ type: "hello", resumed: true });
    expect(await again.next()).toEqual({ ...navigation, cursor: 2 });
  });

  test.each([`/mcp/events/${"x".repeat(200)}`, "/mcp/events/a?since=-1"])(
    "is refused if the address of the WebSocket is the invalid %s",
    async (path) => {
      const { port } = listening();
      const headers = {
        upgrade: "websocket",
        connection: "upgrade",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      };
      expect((await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status).toBe(422);
    },
  );
});

test("a subscriber of an exploration receives the events of that exploration", async () => {
  const { cairn, read } = listening();
  const reader = read("/ws/explorations/first");
  await reader.next();
  const progress = { type: "exploration_progress", job_id: "first", status: "running", timestamp: 2.25 };
  cairn.tell(explorationTopic("first"), progress);
  expect(await reader.next()).toEqual({ ...progress, cursor: 1 });
});
