/**
 * `npm run bench -- <name> [options]`: runs one bench, prints its table and saves it as JSON in `out/`. A
 * bench is a file `<name>.bench.ts` in this folder that exports the constant `bench`.
 */
import { mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Bench } from "./support/bench-module-interface.ts";
import { printReport } from "./support/bench-report.ts";
import { installPeers } from "./support/install-compared-tools.ts";

const HERE = import.meta.dir;
const BENCH = ".bench.ts";
const [name, ...options] = process.argv.slice(2);

if (name === undefined || name === "--help" || name === "-h") {
  console.log("npm run bench -- <name> [options]\n");
  for (const known of await benchNames()) console.log(`  ${known.padEnd(15)} ${(await load(known)).about}`);
  process.exit(name === undefined ? 2 : 0);
}
if (!(await benchNames()).includes(name)) {
  console.error(`There is no bench "${name}". Known: ${(await benchNames()).join(", ")}.`);
  process.exit(2);
}

const bench = await load(name);
if (bench.needsPeers) await installPeers(HERE);
const report = await bench.run(options);
printReport(report);
await mkdir(join(HERE, "out"), { recursive: true });
const file = join(HERE, "out", `${name}.json`);
await Bun.write(file, `${JSON.stringify(report, null, 2)}\n`);
console.log(`
saved in ${file}`);
process.exit(0);

async function benchNames(): Promise<string[]> {
  const files = await readdir(HERE);
  return files
    .filter((file) => file.endsWith(BENCH))
    .map((file) => basename(file, BENCH))
    .sort();
}

async function load(known: string): Promise<Bench> {
  const module: { readonly bench?: Bench } = await import(`./${known}${BENCH}`);
  if (!module.bench) throw new Error(`test/bench/${known}${BENCH} exports no \`bench\``);
  return module.bench;
}
