/**
 * `npm run chaos -- cluster [--rounds 20] [--seed 7]`: runs rounds on a cluster and prints them. It fails
 * when a round fails. `--commands`, `--counters` and `--lease` change size and speed.
 */
import { parseArgs } from "node:util";
import { type ClusterRound, playClusterRound } from "./chaos-cluster-round.ts";
import { describeFault } from "./chaos-fault-schedule.ts";

const COLUMNS = [7, 9, 9, 8, 8, 14, 18, 11, 10, 9] as const;
const row = (cells: readonly (string | number)[]) =>
  console.log(cells.map((cell, column) => String(cell).padEnd(COLUMNS[column] ?? 0)).join(""));

export async function playCluster(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: "string", default: "20" },
      seed: { type: "string", default: String(Date.now() % 1e6) },
      commands: { type: "string", default: "50000" },
      counters: { type: "string", default: "2000" },
      lease: { type: "string", default: "3000" },
      nodes: { type: "string", default: "3" },
    },
  });
  const seed = Number(values.seed);
  const commands = Number(values.commands);
  const leaseTtl = Number(values.lease);
  console.log(`seed ${seed} (repeat with --seed ${seed}), lease ${leaseTtl} ms`);
  row([
    "round",
    "applied",
    "resent",
    "timers",
    "actions",
    "interrupted",
    "writes (refused)",
    "takeovers",
    "recovery",
    "seconds",
  ]);
  let failed = 0;
  for (let number = 1; number <= Number(values.rounds); number++) {
    const round = await playClusterRound({
      seed: seed + number - 1,
      size: { counters: Number(values.counters), commands, timers: commands / 100, actions: commands / 100 },
      nodes: Number(values.nodes),
      clients: 4,
      leaseTtl,
      recoveryWithin: 2 * leaseTtl,
    });
    print(number, round);
    if (round.verdict.faults.length > 0) failed += 1;
  }
  console.log(failed === 0 ? "\nall rounds passed" : `\n${failed} rounds failed`);
  return failed === 0;
}

function print(
  number: number,
  { seed, schedule, recovery, seconds, verdict, errors, resent, evidence }: ClusterRound,
) {
  const { applied, timers, actions, interrupted, writes, refusedWrites, takeovers } = verdict.figures;
  row([
    number,
    applied,
    resent,
    timers,
    actions,
    interrupted,
    `${writes} (${refusedWrites})`,
    takeovers,
    `${(recovery / 1_000).toFixed(2)}s`,
    seconds.toFixed(1),
  ]);
  console.log(`       ${schedule.map(describeFault).join(", ")}`);
  if (errors.size > 0)
    console.log(`       errors: ${[...errors].map(([code, n]) => `${code} ${n}`).join(", ")}`);
  for (const fault of verdict.faults) console.log(`       ✗ ${fault}`);
  if (evidence) console.log(`       alone: --rounds 1 --seed ${seed}; logs and notes in ${evidence}`);
}
