/**
 * Tests brokers that require TLS, client certificates or a `.creds` file, and a broker that consists of three
 * servers.
 */
import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Consumer } from "../../../../../actors/runtime/drivers/message-bus.ts";
import { joinCluster } from "../../../../../actors/runtime/drivers/nats/cluster-over-nats.ts";
import type { NatsConnectionOptions } from "../../../../../actors/runtime/drivers/nats/nats-connection-of-node.ts";
import { address, shardOf } from "../../../../../actors/runtime/index.ts";
import type { CairnError } from "../../../../../machines/errors.ts";
import { natsOperator } from "../../../../support/test-nats-operator.ts";
import { freePort, NatsServer } from "../../../../support/test-nats-server.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { errorOf, until } from "../message-bus.contract.ts";

const certificate = (name: string) =>
  join(import.meta.dirname, "../../../../support/nats-certificates", name);
const TLS = `cert_file: "${certificate("server.pem")}", key_file: "${certificate("server.key")}"`;
const ca = certificate("ca.pem");

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function server(config: string): Promise<NatsServer> {
  const started = await NatsServer.start({ config });
  closing.push(() => started.close());
  return started;
}

async function joined(
  url: string,
  options: Partial<NatsConnectionOptions> & { readonly replicas?: number } = {},
) {
  const cluster = await joinCluster({
    url,
    name: "test",
    leaseTtl: 3_000,
    replicas: 1,
    log: () => {},
    ...options,
  });
  closing.push(() => cluster.close());
  return cluster;
}

/** Checks that a client can acquire a lease, and send and receive a command. */
async function works({ bus, leases }: Awaited<ReturnType<typeof joined>>): Promise<void> {
  const to = address("account", "one");
  const shard = shardOf(to);
  expect(await leases.take([shard], "worker")).toEqual([shard]);
  const taken: string[] = [];
  await bus.consume(shard, 1, {
    take: ({ message, ack }) => {
      taken.push(message.id);
      ack();
    },
    replaced: () => {},
  });
  await bus.enqueue({ id: "1", to, body: { type: "put" } });
  await until(() => taken.length === 1);
  expect(taken).toEqual(["1"]);
}

test("a node accepts a broker's certificate from the configured authority, and refuses others", async () => {
  const { port } = await server(`tls { ${TLS} }`);
  await works(await joined(`tls://localhost:${port}`, { tls: { ca } }));
  const unknown = await errorOf(joined(`tls://localhost:${port}`));
  expect(unknown).toMatchObject({ code: "bus.unreachable" });
});

test("a node presents its client certificate to a broker that requires one", async () => {
  const { port } = await server(`tls { ${TLS}, ca_file: "${ca}", verify: true }`);
  const tls = { ca, cert: certificate("client.pem"), key: certificate("client.key") };
  await works(await joined(`tls://127.0.0.1:${port}`, { tls }));
});

test("a node connects with the right .creds file, and not with a file of another account, a missing file or no file", async () => {
  const operator = natsOperator();
  const { url } = await server(operator.config);
  const folder = await mkdtemp(join(tmpdir(), "cairn-test-creds-"));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  await works(await joined(url, { creds: await file("user.creds", operator.creds) }));
  const foreign = joined(url, { creds: await file("foreign.creds", operator.foreignCreds) });
  expect(await errorOf(foreign)).toMatchObject({ code: "bus.unreachable" });
  expect(await errorOf(joined(url))).toMatchObject({ code: "bus.unreachable" });
  expect(await errorOf(joined(url, { creds: join(folder, "none.creds") }))).toMatchObject({
    code: "config.invalid",
  });
});

test.if(isFull)(
  "a cluster of nodes continues when one of three NATS servers with replicated streams dies",
  async () => {
    const ports = [await freePort(), await freePort(), await freePort()];
    const routes = ports.map((port) => `nats://127.0.0.1:${port}`).join(", ");
    const servers = await Promise.all(
      ports.map((port, i) =>
        server(
          `server_name: s${i}\ncluster { name: three, host: 127.0.0.1, port: ${port}, routes: [${routes}] }`,
        ),
      ),
    );
    const url = servers.map((one) => one.url).join(",");
    const cluster = await joined(url, { replicas: 3 });
    await works(cluster);
    await servers[0]?.stop("SIGKILL");
    const to = address("account", "two");
    const shard = shardOf(to);
    // After the leading server is lost, leases can only be taken when another server has become the leader.
    while ((await cluster.leases.take([shard], "worker").catch(() => [])).length === 0) await sleep(50);
    const taken: string[] = [];
    const consumer: Consumer = {
      take: ({ message, ack }) => {
        taken.push(message.id);
        ack();
      },
      replaced: () => {},
    };
    for (let consumes = false; !consumes; ) {
      consumes = await cluster.bus.consume(shard, 2, consumer).then(
        () => true,
        (error: CairnError) => {
          // Until the new leader of the cluster is chosen, the call fails with `bus.unavailable` and is repeated,
          // as a shard host does.
          if (error.code !== "bus.unavailable") throw error;
          return false;
        },
      );
    }
    await cluster.bus.enqueue({ id: "2", to, body: { type: "put" } });
    await until(() => taken.length === 1);
  },
  120_000,
);
