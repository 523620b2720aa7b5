/** Tests the limits of open WebSockets and event feeds, and how a WebSocket that cannot be served is closed. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Following, OpenSockets } from "../../../gateway/socket/open-websockets.ts";
import type { Wire } from "../../../gateway/socket/websocket-feed-connection.ts";
import { socketLimits } from "../../../gateway/socket/websocket-limits.ts";
import { Unavailable } from "../../../machines/errors.ts";

interface Recorder extends Wire {
  readonly sent: string[];
  readonly closed: [code: number, reason: string][];
}

function recorder(): Recorder {
  const sent: string[] = [];
  const closed: [number, string][] = [];
  return {
    sent,
    closed,
    send: (text) => sent.push(text),
    close: (code, reason) => closed.push([code, reason]),
    getBufferedAmount: () => 0,
  };
}

const follow = (key: string) => async (): Promise<Following> => ({
  key,
  from: undefined,
  source: () => () => {},
  frame: (seq, event) => ({ seq, event }),
});

let sockets: OpenSockets;
beforeEach(() => {
  sockets = new OpenSockets();
});
afterEach(() => sockets.closeAll());

test("a gateway with the maximum number of open WebSockets has no room for another until one is closed", async () => {
  for (let i = 0; i < socketLimits.connections; i++) await sockets.open(`${i}`, recorder(), follow("same"));
  expect(() => sockets.assertRoom()).toThrow("socket");
  sockets.closed("0");
  expect(() => sockets.assertRoom()).not.toThrow();
});

test("the number of event feeds is limited, and the next reader gets the advice to try again later", async () => {
  for (let i = 0; i < socketLimits.feeds; i++) await sockets.open(`${i}`, recorder(), follow(`feed ${i}`));
  const wire = recorder();
  await sockets.open("one more", wire, follow("another"));
  expect(wire.closed).toEqual([[1013, expect.stringContaining("socket.too_many_feeds")]]);
});

test("a WebSocket that cannot be served is closed with the reason, cut to the maximum length of a close frame", async () => {
  const wire = recorder();
  await sockets.open("early", wire, async () => {
    throw new Unavailable("system.unavailable", "Der Speicher wird geöffnet … ".repeat(20));
  });
  const [[code, reason] = [0, ""]] = wire.closed;
  expect([code, reason.startsWith("system.unavailable: ")]).toEqual([1013, true]);
  expect(new TextEncoder().encode(reason).length).toBeLessThanOrEqual(123);
  expect(wire.sent).toEqual([]);
});

test("a WebSocket that was closed before it could be served causes no error", async () => {
  const wire = recorder();
  let serve = () => {};
  const ready = new Promise<void>((resolve) => {
    serve = resolve;
  });
  const opening = sockets.open("hasty", wire, async () => {
    await ready;
    return await follow("x")();
  });
  sockets.closed("hasty");
  serve();
  await opening;
  expect([wire.sent, wire.closed]).toEqual([[], []]);
});
