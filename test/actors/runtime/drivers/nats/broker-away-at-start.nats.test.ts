/** Tests the start of a node while its broker restarts or does not answer. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { createConnection, createServer, type Socket } from "node:net";
import { joinCluster } from "../../../../../actors/runtime/drivers/nats/cluster-over-nats.ts";
import { NatsServer } from "../../../../support/test-nats-server.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { errorOf } from "../message-bus.contract.ts";

const TIMEOUT = 60_000;
setDefaultTimeout(TIMEOUT);

/**
 * Relays connections to a NATS server. `receive` gets each text that a client sends, and returns whether the
 * server gets it.
 */
async function relayTo(
  server: NatsServer,
  receive: (text: string, client: Socket) => boolean,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const relay = createServer((client) => {
    const upstream = createConnection(server.port, "127.0.0.1");
    // The test and the restart of the broker close connections while data is sent. This is no error here.
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      socket.on("error", () => other.destroy()).on("close", () => other.destroy());
    upstream.pipe(client);
    client.on("data", (data) => {
      if (receive(data.toString("latin1"), client)) upstream.write(data);
    });
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  const bound = relay.address();
  if (typeof bound !== "object" || !bound) throw new Error("no port");
  return { url: `nats://127.0.0.1:${bound.port}`, close: () => relay.close() };
}

/**
 * The requests of a start during which a broker restarts. The client waits five seconds for the answers of the last
 * two, so only the full tier tests them.
 */
const REQUESTS = [
  ["the streams of commands", "$JS.API.STREAM.INFO.CAIRN_COMMANDS_0"],
  ["the leases", "$JS.API.STREAM.CREATE.KV_cairn-leases"],
  ["the limits of its account", "$JS.API.INFO"],
  ["the members", "$JS.API.STREAM.CREATE.KV_cairn-members"],
] as const;

for (const [what, request] of isFull ? REQUESTS : REQUESTS.slice(0, 1))
  test(`a node joins although its broker restarts while the node requests ${what}`, async () => {
    const server = await NatsServer.start();
    let restarted: Promise<void> | undefined;
    const relay = await relayTo(server, (text, client) => {
      if (restarted || !text.includes(request)) return true;
      client.destroy();
      restarted = server.stop("SIGKILL").then(() => server.start());
      return false;
    });
    const logged: string[] = [];
    const log = (_: string, message: string) => logged.push(message);
    const cluster = await joinCluster({ url: relay.url, name: "a", leaseTtl: 2_000, replicas: 1, log });
    await restarted;
    await cluster.join({
      name: "a",
      roles: ["compute"],
      workers: 1,
      version: "1.0.0",
      kinds: {},
      since: 0,
    });
    expect(await cluster.leases.take([1], "a")).toEqual([1]);
    expect(restarted).toBeDefined();
    expect(logged).toContain("NATS does not answer; this start waits for it");
    await cluster.close();
    relay.close();
    await server.close();
  });

test.if(isFull)(
  "the start of a node fails if JetStream does not answer, and the error states what to do",
  async () => {
    const server = await NatsServer.start();
    const relay = await relayTo(server, (text) => !text.includes("$JS.API.STREAM."));
    const options = { url: relay.url, name: "a", leaseTtl: 2_000, replicas: 1, startPatience: 1_000 };
    expect(await errorOf(joinCluster({ ...options, log: () => {} }))).toMatchObject({
      code: "bus.unreachable",
      message: expect.stringContaining(
        "JetStream did not answer in time. Start nats-server there with JetStream",
      ),
    });
    relay.close();
    await server.close();
  },
);
