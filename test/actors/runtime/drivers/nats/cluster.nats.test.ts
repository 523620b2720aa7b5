/** Tests nodes that share a NATS server. They form one system, even while nodes join, leave and fail. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "nats";
import { joinCluster } from "../../../../../actors/runtime/drivers/nats/cluster-over-nats.ts";
import { ActorSystem, address, shardOf, systemClock } from "../../../../../actors/runtime/index.ts";
import { CairnError } from "../../../../../machines/errors.ts";
import { roles } from "../../../../../machines/runtime/cluster-node-roles.ts";
import { addressLimits } from "../../../../../machines/runtime/shared-runtime-limits.ts";
import { type OwnedStore, openStore } from "../../../../../store/index.ts";
import { NatsServer } from "../../../../support/test-nats-server.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { ClusterNode } from "../../support/test-cluster-node.ts";
import { until } from "../message-bus.contract.ts";

// The time limit is high, because seven workers run at the same time and other work may keep the machine busy.
setDefaultTimeout(60_000);

const { shards: SHARDS } = addressLimits;
const actors = Array.from({ length: 40 }, (_, i) => address("counter", `${i}`));
const add = { type: "add" };

let server: NatsServer;
let store: OwnedStore;
let nodes: ClusterNode[];
beforeEach(async () => {
  server = await NatsServer.start();
  store = await openStore({ url: "mem://" });
  nodes = [];
});
afterEach(async () => {
  for (const node of nodes) await node.stop().catch(() => {});
  await store.close();
  await server.close();
});

async function start(
  name: string,
  ...more: Parameters<typeof ClusterNode.start> extends [unknown, unknown, unknown, ...infer R] ? R : never
) {
  const node = await ClusterNode.start(name, server, store, ...more);
  nodes.push(node);
  return node;
}

/** Waits until every shard is hosted by exactly one of these nodes. Returns the shards of each node. */
async function shared(...among: readonly ClusterNode[]): Promise<readonly (readonly number[])[]> {
  for (;;) {
    const held = await Promise.all(among.map((node) => node.shards()));
    const all = held.flat();
    if (all.length === SHARDS && new Set(all).size === SHARDS && held.every(({ length }) => length > 0))
      return held;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Sends a command with the same id repeatedly until it is answered, as a caller of Cairn does. */
async function insist(
  node: Pick<ClusterNode, "system">,
  target: (typeof actors)[number],
  id: string,
): Promise<unknown> {
  for (;;) {
    try {
      return { body: await node.system.ask(target, add, { id, timeout: 3_000 }) };
    } catch (error) {
      // Statuses of errors after which the same command may succeed: too many requests, unavailable,
      // time-out.
      if (!(error instanceof CairnError) || ![429, 503, 504].includes(error.status)) throw error;
    }
  }
}

/** Returns how many commands an actor has applied. */
async function applied(node: ClusterNode, target: (typeof actors)[number]): Promise<number> {
  return Object(await node.system.query(target, "applied")).length;
}

describe("nodes that share a NATS server", () => {
  test("divide the shards between them, answer commands to every actor, and are listed by the NATS service API", async () => {
    const [a, b] = [await start("a"), await start("b")];
    await shared(a, b);
    for (const [i, node] of [a, b, a].entries()) {
      const answers = await Promise.all(actors.map((target) => node.system.ask(target, add)));
      expect(answers).toEqual(actors.map(() => ({ n: i + 1 })));
    }
    expect(await Promise.all(actors.map((target) => applied(b, target)))).toEqual(actors.map(() => 3));
    const listed = await a.membership.nodes(() => a.pool.reports());
    expect(listed.map(({ name, self, workers }) => ({ name, self, workers: workers.length }))).toEqual([
      { name: "a", self: true, workers: 2 },
      { name: "b", self: false, workers: 2 },
    ]);
    expect(listed.reduce((sum, { shards }) => sum + shards, 0)).toBe(SHARDS);

    const connection = await connect({ servers: server.url });
    const services: unknown[] = [];
    for await (const { metadata } of await connection.services.client().info("cairn"))
      services.push(metadata?.node);
    expect(services.toSorted()).toEqual(["a", "b"]);
    await connection.close();
  });

  test.if(isFull)(
    "give shards to a joining node, and take them back when it leaves, without losing a command",
    async () => {
      const a = await start("a");
      await shared(a);
      let sent = 0;
      let over = false;
      const load = Promise.all(
        actors.map(async (target) => {
          let n = 0;
          while (!over) {
            n += 1;
            sent += 1;
            expect(await insist(a, target, `${n}`)).toEqual({ body: { n } });
          }
          return n;
        }),
      );
      const b = await start("b");
      await shared(a, b);
      const before = sent;
      await until(() => sent > before + 100);
      await b.stop();
      await shared(a);
      over = true;
      const counts = await load;
      expect(await Promise.all(actors.map((target) => applied(a, target)))).toEqual(counts);
    },
  );

  test.if(isFull)(
    "take over the shards of a disconnected node, which stops hosting them by itself",
    async () => {
      const [a, b] = [await start("a"), await start("b")];
      await shared(a, b);
      await Promise.all(actors.map((target, i) => insist(a, target, `${i}`)));
      await b.cutOff();
      await shared(a);
      const answers = await Promise.all(actors.map((target, i) => insist(a, target, `again-${i}`)));
      expect(answers).toEqual(actors.map(() => ({ body: { n: 2 } })));
      while ((await b.shards()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(b.membership.ready()).toMatchObject({ ok: false });
    },
  );

  test.if(isFull)("continue after a restart of the broker, and after it has lost its state", async () => {
    const [a, b] = [await start("a"), await start("b")];
    await shared(a, b);
    for (const [round, forget] of [false, true].entries()) {
      await server.stop("SIGKILL");
      if (forget) await server.forget();
      const asked = Promise.all(actors.map((target, i) => insist(b, target, `${round}-${i}`)));
      await server.start();
      expect(await asked).toEqual(actors.map(() => ({ body: { n: round + 1 } })));
    }
    await shared(a, b);
  });

  test.if(isFull)("host only shards of their configured roles", async () => {
    const [compute, browser] = [await start("compute", ["compute"]), await start("browser", ["browser"])];
    const [some, rest] = await shared(compute, browser);
    const [, browsers] = addressLimits.groups;
    expect(Math.max(...(some ?? []))).toBeLessThan(browsers.first);
    expect(Math.min(...(rest ?? []))).toBe(browsers.first);
    await browser.stop();
    await until(() => compute.membership.ready()?.detail.includes("browser") === true);
  });

  test.if(isFull)(
    "can be upgraded one by one without losing a command, and older nodes never load newer states",
    async () => {
      const everyRole = [...roles];
      const [a, b] = [await start("a"), await start("b")];
      await shared(a, b);
      const client = new ActorSystem(a.cluster.bus, systemClock, "client");
      let stopped = false;
      const counts = new Map<string, number>();
      // Commands are sent without a pause, and each is repeated until it is answered.
      const load = Promise.all(
        actors.slice(0, 8).map(async (target) => {
          for (let k = 1; !stopped; k++) {
            await insist({ system: client }, target, `${target.id}.${k}`);
            counts.set(target.id, k);
          }
        }),
      );
      const [c] = [await start("c", everyRole, 2)];
      const [held] = await shared(c);
      expect(held).toHaveLength(SHARDS);
      expect(await Promise.all([a, b].map((node) => node.shards()))).toEqual([[], []]);
      await b.stop();
      const d = await start("d", everyRole, 2);
      await shared(c, d);
      stopped = true;
      await load;
      for (const target of actors.slice(0, 8))
        expect(await applied(c, target)).toBe(counts.get(target.id) ?? 0);
      const rows = await Promise.all(actors.slice(0, 8).map((target) => store.actors.load(target)));
      expect(rows.map((row) => row?.version)).toEqual(rows.map(() => 2));
      expect(rows.every((row) => JSON.parse(row?.data ?? "").snapshot.context.migratedFrom === 1)).toBe(true);
      // The node is started again with the older release. It refuses actor states of the newer release as too
      // new and does not change them.
      await c.stop();
      await d.stop();
      await shared(a);
      const refused = await client
        .ask(actors[0] ?? address("counter", "0"), add)
        .catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: "actor.newer_version", status: 503 });
      expect(await client.ask(address("counter", "fresh"), add)).toEqual({ n: 1 });
      client.close();
    },
  );

  test.if(isFull)(
    "dead-letter commands that another program published into their queue, and continue",
    async () => {
      const a = await start("a");
      const target = address("counter", "0");
      const connection = await connect({ servers: server.url });
      const subject = `cairn.cmd.${shardOf(target)}.counter.${Buffer.from("0").toString("base64url")}`;
      for (const bytes of ["no JSON {", '{"id":7}', ""]) await connection.jetstream().publish(subject, bytes);
      await connection.close();
      expect(await a.system.ask(target, add)).toEqual({ n: 1 });
      let kept = await store.actors.deadLetters({ limit: 10 });
      while (kept.length < 3) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        kept = await store.actors.deadLetters({ limit: 10 });
      }
      expect(kept.map(({ error_code }) => error_code)).toEqual(kept.map(() => "actor.unreadable_message"));
      expect(kept.map(({ message }) => message).join()).toContain("no JSON {");
    },
  );

  test("need only the NATS permissions that the README lists", async () => {
    const allowed = `["cairn.>", "_INBOX.>", "$JS.>", "$KV.>", "$SRV.>"]`;
    const guarded = await NatsServer.start({
      config: `authorization { users = [{ user: u, password: p, permissions: { publish: ${allowed}, subscribe: ${allowed} } }] }`,
    });
    const url = guarded.url.replace("//", "//u:p@");
    const logged: string[] = [];
    const log = (level: string, message: string, fields: unknown) => {
      if (level !== "info") logged.push(`${message} ${JSON.stringify(fields)}`);
    };
    const joined = await joinCluster({ url, name: "a", leaseTtl: 1_000, replicas: 1, log });
    const kinds = { counter: 1 };
    await joined.join({ name: "a", roles: ["compute"], workers: 1, version: "1.0.0", kinds, since: 0 });
    expect(await joined.leases.take([1], "a")).toEqual([1]);
    const target = address("counter", "a");
    const taken = new Promise<void>((resolve, reject) => {
      const take = ({ ack }: { readonly ack: () => void }) => {
        ack();
        resolve();
      };
      joined.bus.consume(shardOf(target), 1, { take, replaced: () => {} }).catch(reject);
    });
    await joined.bus.enqueue({ id: "1", to: target, body: add });
    await taken;
    await joined.leave();
    await joined.close();
    expect(logged).toEqual([]);
    await guarded.close();
  });
});
