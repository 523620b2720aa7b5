/**
 * `npm run soak [-- --minutes 30]`: three nodes under a steady load of commands, queries, timers and requests
 * to 2,000 actors, with the memory that each process uses. After the warm-up, memory must not grow by more
 * than 5 %. The chart is written as SVG and printed as a line of blocks.
 */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { randomFrom } from "../../support/seeded-random.ts";
import { type ClientCommand, ClusterClient } from "./chaos-cluster-client.ts";
import { TestCluster } from "./chaos-test-cluster.ts";
import { drawChart, memoryGrowth, type Series, sparkline } from "./memory-use-chart.ts";

const MINUTE = 60_000;
const ACTORS = 2_000;
/** Maximum number of unanswered commands of one client. */
const WINDOW = 4;
/**
 * Pause between two commands of a client in milliseconds. With it, the load is steady and the machine is not
 * saturated.
 */
const PAUSE = 30;
/**
 * Share (0 to 1) of the soak's duration that counts as warm-up. Memory may grow during the warm-up, because
 * each actor first fills its list of the last 128 commands.
 */
const WARM_UP = 1 / 5;
const MAX_GROWTH = 0.05;
const SAMPLES = 180;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    chart: { type: "string", default: join(tmpdir(), "cairn-soak.svg") },
  },
});
const length = Number(values.minutes) * MINUTE;
const random = randomFrom(Number(values.seed));

const cluster = await TestCluster.start({ nodes: 3, leaseTtl: 10_000 });
const clients = [0, 1, 2, 3].map((i) => new ClusterClient(cluster, `c${i}`, i));
const began = Date.now();
const until = began + length;
const done = new Map<string, number>();

/** Sends commands one after another until the test's time is over. */
async function load(client: ClusterClient, lane: string): Promise<void> {
  for (let k = 1; Date.now() < until; k++) {
    const to = `tally/${Math.floor(random() * ACTORS)}`;
    const [what, body] = drawAsk();
    const command: ClientCommand = {
      id: `${lane}/${k}`,
      to,
      body,
      position: k,
      attempts: 0,
      answer: undefined,
    };
    await client.sendUntilAnswered(command, until + MINUTE);
    done.set(what, (done.get(what) ?? 0) + 1);
    if (Date.now() - began > WARM_UP * length) await Bun.sleep(PAUSE);
  }
}

function drawAsk(): readonly [what: string, body: ClientCommand["body"]] {
  const share = random();
  if (share < 0.55) return ["commands", { type: "add" }];
  if (share < 0.85) return ["queries", "count"];
  if (share < 0.95) return ["timers", { type: "later", delay: random() * 60_000 }];
  return ["errands", { type: "work" }];
}

async function sample(series: readonly Series[]): Promise<void> {
  const at = Date.now() - began;
  const store = (await (await fetch(cluster.storeUrl)).json()) as { readonly rss: number };
  for (const { name, points } of series) {
    const rss =
      name === "store" ? store.rss : (await cluster.nodes.find((node) => node.name === name)?.status())?.rss;
    if (rss !== undefined) points.push({ at, rss });
  }
}

const series: readonly Series[] = [...cluster.nodes.map(({ name }) => name), "store"].map((name) => ({
  name,
  points: [],
}));
const loads = clients.flatMap((client, i) =>
  Array.from({ length: WINDOW }, (_, lane) => load(client, `soak-${i}-${lane}`)),
);
while (Date.now() < until) {
  await Bun.sleep(length / SAMPLES);
  await sample(series);
}
await Promise.all(loads);
for (const client of clients) client.close();

const faults = [
  ...clients.flatMap(({ faults }) => faults),
  ...cluster.nodes.flatMap(({ unexpectedExits: deaths }) => deaths),
];
console.log(`${values.minutes} minutes: ${[...done].map(([what, n]) => `${n} ${what}`).join(", ")}`);
for (const { name, points } of series) {
  const growth = memoryGrowth(points, length * WARM_UP);
  const last = points.at(-1)?.rss ?? 0;
  const memory = `${(last / 1e6).toFixed(0)} MB, ${growth >= 0 ? "+" : ""}${(growth * 100).toFixed(1)} % since the warm-up`;
  console.log(`${name.padEnd(6)} ${sparkline(points)} ${memory}`);
  if (growth > MAX_GROWTH) faults.push(`${name} has grown by ${(growth * 100).toFixed(1)} %`);
}
await writeFile(values.chart, drawChart(series, length));
console.log(`chart: ${values.chart}`);
for (const fault of faults) console.log(`✗ ${fault}`);
await cluster.stop({ keep: faults.length > 0 });
process.exit(faults.length === 0 ? 0 : 1);
