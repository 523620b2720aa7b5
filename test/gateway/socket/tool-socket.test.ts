/** Tests `/ws/tools` over a real socket: results, errors, scopes, and many calls at once. */
import { afterEach, describe, expect, test } from "bun:test";
import { socketLimits } from "../../../gateway/socket/websocket-limits.ts";
import { guardLimits } from "../../../machines/audit/api-caller-limits.ts";
import { type TestGateway, testGateway } from "../test-gateway.ts";

const open: { readonly gateway: TestGateway; readonly socket: WebSocket }[] = [];
afterEach(async () => {
  for (const { gateway, socket } of open.splice(0)) {
    socket.close();
    await gateway.sockets.closeAll();
    await gateway.app.server?.stop(true);
  }
});

const KEYS = "reader:read:reader-key-0123456789,worker:act:worker-key-0123456789";

interface Reply {
  readonly type: string;
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: string };
}

async function connected(env: Readonly<Record<string, string>> = {}, key?: string) {
  const gateway = testGateway({ env });
  gateway.app.listen({ hostname: "127.0.0.1", port: 0 });
  const address = `ws://127.0.0.1:${gateway.app.server?.port}/ws/tools`;
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  // The cast is needed: Bun's WebSocket accepts headers, but the standard type of the constructor does not.
  const socket = new WebSocket(address, { headers } as unknown as string[]);
  open.push({ gateway, socket });
  const replies: Reply[] = [];
  const waiting: (() => void)[] = [];
  socket.onmessage = ({ data }) => {
    replies.push(JSON.parse(data));
    for (const wake of waiting.splice(0)) wake();
  };
  const reply = async (matches: (reply: Reply) => boolean): Promise<Reply> => {
    for (;;) {
      const found = replies.find(matches);
      if (found) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  await reply(({ type }) => type === "hello");
  return {
    gateway,
    send: (message: unknown) => socket.send(JSON.stringify(message)),
    reply: (id: unknown) => reply((message) => message.id === id),
  };
}

describe("calls over /ws/tools", () => {
  test("return the result of the tool with the id of the call", async () => {
    const { send, reply } = await connected();
    send({ id: "a", tool: "list_knowledge", arguments: {} });
    expect(await reply("a")).toMatchObject({ type: "result", result: { knowledge: expect.any(Array) } });
  });

  test.each([
    [{ id: 1, tool: "no_such_tool" }, "tool.unknown"],
    [{ id: 1, tool: "query_knowledge", arguments: { query_type: 7 } }, "request.invalid"],
    [{ id: 1, arguments: {} }, "request.invalid"],
    [{ id: 1, tool: "list_knowledge", idempotency_key: "two words" }, "request.invalid"],
  ])("return a typed error for the invalid message %j", async (message, code) => {
    const { send, reply } = await connected();
    send(message);
    expect((await reply(1)).error?.code).toBe(code);
  });

  test("return a typed error for a message that is too large, and the socket stays open", async () => {
    const { send, reply } = await connected();
    const most = socketLimits.messageBytes;
    const call = { id: 1, tool: "list_knowledge", arguments: { unused: "x".repeat(most) } };
    send(call);
    expect((await reply(1)).error).toMatchObject({
      code: "socket.message_too_large",
      message: expect.stringContaining(String(most)),
    });
    send({ id: 2, tool: "list_knowledge" });
    expect((await reply(2)).type).toBe("result");
  });

  test("count towards the rate limit even if they are invalid or too large", async () => {
    const { send, reply } = await connected({ CAIRN_API_KEYS: KEYS }, "worker-key-0123456789");
    const unused = "x".repeat(socketLimits.messageBytes);
    let code: string | undefined;
    // Tokens are refilled meanwhile. So slightly more messages may pass than the bucket holds.
    for (let sent = 0; sent < 20 * guardLimits.key.burst && code !== "security.rate_limited"; ) {
      for (let n = 0; n < 100; n++) send({ id: ++sent });
      send({ id: `large-${sent}`, tool: "list_knowledge", arguments: { unused } });
      code = (await reply(`large-${sent}`)).error?.code;
    }
    expect(code).toBe("security.rate_limited");
  });

  test("need the scope of the tool", async () => {
    const { send, reply } = await connected({ CAIRN_API_KEYS: KEYS }, "reader-key-0123456789");
    send({ id: 1, tool: "start_browser_session", arguments: { room_name: "one" } });
    send({ id: 2, tool: "list_knowledge" });
    expect((await reply(1)).error?.code).toBe("security.scope");
    expect((await reply(2)).type).toBe("result");
  });

  test("are refused beyond the number that may run at once", async () => {
    const { gateway, send, reply } = await connected();
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const list = gateway.cairn.knowledge.list.bind(gateway.cairn.knowledge);
    gateway.cairn.knowledge.list = async () => {
      await release;
      return await list();
    };
    for (let id = 0; id <= socketLimits.callsAtOnce; id++) send({ id, tool: "list_knowledge" });
    expect((await reply(socketLimits.callsAtOnce)).error?.code).toBe("socket.too_many_calls");
    resolve();
    expect((await reply(0)).type).toBe("result");
  });
});
