/**
 * `npm run chaos [-- --rounds 20 --seed 7]`: runs rounds in which Cairn is killed during its main job, and
 * prints them. The exit code is 1 when a round fails. `npm run chaos -- cluster …` tests several nodes
 * (`cluster/run-cluster-chaos.ts`), and `npm run chaos -- sessions` many sessions on few browsers
 * (`many-sessions-on-few-browsers.ts`).
 */
import { parseArgs } from "node:util";
import type { StoredSite } from "../e2e/support/compare-stored-site.ts";
import { randomFrom } from "../support/seeded-random.ts";
import { killMoments, playRound, setStage } from "./chaos-kill-round.ts";
import { playCluster } from "./cluster/run-cluster-chaos.ts";
import { playSessions } from "./many-sessions-on-few-browsers.ts";

const [part, ...rest] = process.argv.slice(2);
if (part === "cluster") process.exit((await playCluster(rest)) ? 0 : 1);
if (part === "sessions") process.exit((await manySessions(rest)) ? 0 : 1);

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now() % 1e9) },
  },
});
const seed = Number(values.seed);
const random = randomFrom(seed);

console.log(`seed ${seed} (repeat with --seed ${seed})`);
const stage = await setStage();
const row = (cells: readonly (string | number)[]) =>
  console.log(
    cells.map((cell, column) => String(cell).padEnd([6, 52, 11, 7, 7, 9, 8][column] ?? 0)).join(""),
  );
row(["round", "killed at stored/searchable", "status", "pages", "links", "readings", "seconds"]);

let failed = 0;
let reference: StoredSite | undefined;
for (let number = 0; number <= Number(values.rounds); number++) {
  // Round 0 runs a job without kills. In the later rounds, the stored texts must be equal to those of round
  // 0.
  const moments = number === 0 ? [] : killMoments(random);
  const { kills, status, stored, readings, seconds, faults } = await playRound(stage, random, {
    moments,
    reference,
  });
  reference ??= stored;
  const links = stored.internal.length + stored.external.length;
  row([
    number,
    kills.join(" ") || "undisturbed",
    status,
    stored.pages.length,
    links,
    readings,
    seconds.toFixed(1),
  ]);
  for (const fault of faults) console.log(`      ✗ ${fault}`);
  if (faults.length > 0) failed++;
}
await stage.stop();
console.log(failed === 0 ? "\nall rounds passed" : `\n${failed} rounds failed`);
process.exit(failed === 0 ? 0 : 1);

async function manySessions(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sessions: { type: "string", default: "1000" },
      live: { type: "string", default: "8" },
      commands: { type: "string", default: "2000" },
      seed: { type: "string", default: String(Date.now() % 1e9) },
    },
  });
  console.log(`seed ${values.seed} (repeat with --seed ${values.seed})`);
  const [sessions, live, commands] = [Number(values.sessions), Number(values.live), Number(values.commands)];
  const { faults, seconds, peak, restored, times } = await playSessions({
    sessions,
    live,
    commands,
    random: randomFrom(Number(values.seed)),
    progress: (done) => {
      if (done % 200 === 0) console.log(`  ${done} commands`);
    },
  });
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
  console.log(
    `${sessions} sessions, ${commands} commands in ${seconds.toFixed(0)} s; at most ${peak} browsers at a time, ` +
      `${restored} times restored; a command took ${at(0.5)} ms (median), ${at(0.95)} ms (95 %)`,
  );
  for (const fault of faults) console.log(`      ✗ ${fault}`);
  console.log(faults.length === 0 ? "\npassed" : `\n${faults.length} faults`);
  return faults.length === 0;
}
