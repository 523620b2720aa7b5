/** Tests the socket of the live view on sessions in memory. `test/e2e/sessions/live-view.test.ts` tests it with a browser. */
import { afterEach, expect, test } from "bun:test";
import { type TestGateway, testGateway } from "../test-gateway.ts";

let gateway: TestGateway | undefined;
afterEach(async () => {
  await gateway?.sockets.closeAll();
  await gateway?.app.server?.stop(true);
});

function viewerOf(room: string, { app }: TestGateway): WebSocket {
  app.listen({ hostname: "127.0.0.1", port: 0 });
  return new WebSocket(`ws://127.0.0.1:${app.server?.port}/ws/sessions/${room}/view`);
}

test("the live view of a room without a session is closed with the reason", async () => {
  gateway = testGateway();
  const socket = viewerOf("nowhere", gateway);
  const closed = await new Promise<CloseEvent>((resolve) => {
    socket.onclose = resolve;
  });
  expect([closed.code, closed.reason]).toEqual([1008, "session.not_found"]);
});

test("a viewer of a session without pictures does not request frames in an endless loop, so Cairn can do other work", async () => {
  const ENDLESS = 1_000;
  gateway = testGateway();
  let requested = 0;
  gateway.cairn.sessions.frame = async () => {
    requested += 1;
    // If the gateway requested frames without a pause, it would read no further message of the socket, and would
    // reach this number.
    if (requested > ENDLESS) throw new Error("The viewer requests frames without a pause.");
    return null;
  };
  const socket = viewerOf("room", gateway);
  const answer = await new Promise<string>((resolve) => {
    socket.onmessage = ({ data }) => {
      const { type } = JSON.parse(data);
      if (type === "hello") socket.send('{"type":"ping"}');
      else resolve(type);
    };
    socket.onclose = ({ reason }) => resolve(reason);
  });
  socket.close();
  expect(answer).toBe("heartbeat");
});
