/**
 * Three nodes, a broker and a store on one machine: a small round under everything that may strike, acts that are
 * stopped in their midst, timers whose node dies (`npm run chaos -- cluster` plays twenty large rounds).
 */
import { afterEach, expect, test } from "bun:test";
import { type Asked, Client } from "./client.ts";
import { Cluster, type Node } from "./cluster.ts";
import { conclude, playRound } from "./round.ts";
import { inWords } from "./schedule.ts";

const LEASE_TTL = 3_000;
const PATIENCE = 180_000;
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1e6);

let cluster: Cluster | undefined;
afterEach(async () => {
  await cluster?.stop({ keep: false });
  cluster = undefined;
});

async function started(): Promise<{ readonly cluster: Cluster; readonly client: Client }> {
  cluster = await Cluster.start({ nodes: 3, leaseTtl: LEASE_TTL });
  return { cluster, client: new Client(cluster, "client", 0) };
}

/** Asks all at once; resolves when all are accepted. */
async function askAll(client: Client, body: (i: number) => Asked["body"], kind: string): Promise<void> {
  const asked = Array.from({ length: 60 }, (_, i): Asked => {
    const to = `${kind}/${i % 20}`;
    return { id: `${to}/${i}`, to, body: body(i), k: i, sent: 0, answer: undefined };
  });
  await Promise.all(asked.map((one) => client.insist(one, Date.now() + PATIENCE / 2)));
}

/** The node that hosts the most. */
async function busiest(nodes: readonly Node[]): Promise<Node> {
  const hosted = await Promise.all(nodes.map(async (node) => (await node.status())?.shards.length ?? 0));
  const node = nodes[hosted.indexOf(Math.max(...hosted))];
  if (!node) throw new Error("a cluster has nodes");
  return node;
}

test(
  `whatever strikes a cluster, acknowledged commands are applied once and in order, in one place (seed ${seed})`,
  async () => {
    const { strikes, verdict } = await playRound({
      seed,
      size: { counters: 100, commands: 3_000, timers: 40, acts: 40 },
      nodes: 3,
      clients: 4,
      leaseTtl: LEASE_TTL,
    });
    expect(verdict.faults, strikes.map(inWords).join(", ")).toEqual([]);
    expect(verdict.figures.applied).toBe(3_000);
    expect(verdict.figures.timers).toBe(40);
  },
  PATIENCE,
);

test(
  "an act in the world whose node is stopped in its midst, past its lease, is done at most once and told as interrupted",
  async () => {
    const { cluster, client } = await started();
    cluster.world.pace = 500;
    const asking = askAll(client, () => ({ type: "act" }), "hand");
    // The first of them may all be of another node than the one that is stopped.
    while (cluster.world.underWay < 15) await Bun.sleep(5);
    const node = await busiest(cluster.nodes);
    node.pause();
    await Bun.sleep(LEASE_TTL * 1.5);
    node.resume();
    await asking;
    const { faults, figures } = await conclude(cluster, [client], Date.now() + PATIENCE / 2);
    expect(faults).toEqual([]);
    expect(figures.interrupted).toBeGreaterThan(0);
    expect(figures.acts + figures.interrupted).toBeGreaterThanOrEqual(60);
    expect([...cluster.world.counts.values()].every((times) => times === 1)).toBe(true);
  },
  PATIENCE,
);

test(
  "timers whose node is killed ring on another one, once each and none early",
  async () => {
    const { cluster, client } = await started();
    await askAll(client, (i) => ({ type: "set", delay: LEASE_TTL * (1 + (i % 3)) }), "clock");
    await (await busiest(cluster.nodes)).kill();
    const { faults, figures } = await conclude(cluster, [client], Date.now() + PATIENCE / 2);
    expect(faults).toEqual([]);
    expect(figures.timers).toBe(60);
  },
  PATIENCE,
);
