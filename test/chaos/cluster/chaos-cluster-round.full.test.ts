/**
 * Tests three nodes, a broker and a store on one machine under faults: a small round with random faults,
 * actions of a paused node, and timers of a killed node. `npm run chaos -- cluster` runs twenty large rounds.
 */
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { isFull, seed } from "../../test-run-tier-and-seed.ts";
import { type ClientCommand, ClusterClient } from "./chaos-cluster-client.ts";
import { checkWhenIdle, playClusterRound } from "./chaos-cluster-round.ts";
import { describeFault } from "./chaos-fault-schedule.ts";
import { type ClusterNode, TestCluster } from "./chaos-test-cluster.ts";

const LEASE_TTL = 3_000;
const TIMEOUT = 180_000;
setDefaultTimeout(TIMEOUT);
/** Number of commands in the round with random faults. */
const COMMANDS = isFull ? 3_000 : 500;
/**
 * Duration of an action in milliseconds in the test that pauses a node. It is long enough that 15 of 20 actions
 * run at the same time on a busy machine, and shorter than the pause.
 */
const LONG_ACTION = LEASE_TTL / 2;

let cluster: TestCluster | undefined;
afterEach(async () => {
  await cluster?.stop({ keep: false });
  cluster = undefined;
});

async function started(): Promise<{ readonly cluster: TestCluster; readonly client: ClusterClient }> {
  cluster = await TestCluster.start({ nodes: 3, leaseTtl: LEASE_TTL });
  return { cluster, client: new ClusterClient(cluster, "client", 0) };
}

/** Sends all commands at the same time. Resolves when the nodes have accepted all of them. */
async function sendAll(
  client: ClusterClient,
  body: (i: number) => ClientCommand["body"],
  kind: string,
): Promise<void> {
  const commands = Array.from({ length: 60 }, (_, i): ClientCommand => {
    const to = `${kind}/${i % 20}`;
    return { id: `${to}/${i}`, to, body: body(i), position: i, attempts: 0, answer: undefined };
  });
  await Promise.all(commands.map((command) => client.recordAndSend(command, Date.now() + TIMEOUT / 2)));
}

/** Returns the node that hosts the most shards. */
async function busiest(nodes: readonly ClusterNode[]): Promise<ClusterNode> {
  const hosted = await Promise.all(nodes.map(async (node) => (await node.status())?.shards.length ?? 0));
  const node = nodes[hosted.indexOf(Math.max(...hosted))];
  if (!node) throw new Error("a cluster has nodes");
  return node;
}

test(`a cluster with injected faults applies acknowledged commands once, in order and on one node (seed ${seed})`, async () => {
  const { schedule, verdict } = await playClusterRound({
    seed,
    size: { counters: 100, commands: COMMANDS, timers: 40, actions: 40 },
    nodes: 3,
    clients: 4,
    leaseTtl: LEASE_TTL,
  });
  expect(verdict.faults, schedule.map(describeFault).join(", ")).toEqual([]);
  expect(verdict.figures.applied).toBe(COMMANDS);
  expect(verdict.figures.timers).toBe(40);
});

test.if(isFull)(
  "an action runs at most once if its node is paused longer than its lease, and is reported as interrupted",
  async () => {
    const { cluster, client } = await started();
    cluster.actionServer.duration = LONG_ACTION;
    const sending = sendAll(client, () => ({ type: "run" }), "action");
    // Waits until many actions are running, so that some of them run on the node that the test then pauses.
    while (cluster.actionServer.running < 15) await Bun.sleep(5);
    const node = await busiest(cluster.nodes);
    node.pause();
    await Bun.sleep(LEASE_TTL * 1.5);
    node.resume();
    await sending;
    const { faults, figures } = await checkWhenIdle(cluster, [client], Date.now() + TIMEOUT / 2);
    expect(faults).toEqual([]);
    expect(figures.interrupted).toBeGreaterThan(0);
    expect(figures.actions + figures.interrupted).toBeGreaterThanOrEqual(60);
    expect([...cluster.actionServer.counts.values()].every((times) => times === 1)).toBe(true);
  },
);

test.if(isFull)("timers of a killed node fire on another node, once each and not early", async () => {
  const { cluster, client } = await started();
  await sendAll(client, (i) => ({ type: "set", delay: LEASE_TTL * (1 + (i % 3)) }), "clock");
  await (await busiest(cluster.nodes)).kill();
  const { faults, figures } = await checkWhenIdle(cluster, [client], Date.now() + TIMEOUT / 2);
  expect(faults).toEqual([]);
  expect(figures.timers).toBe(60);
});
