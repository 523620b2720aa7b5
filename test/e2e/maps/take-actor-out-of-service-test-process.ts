/**
 * Takes an actor of a stopped Cairn out of service, as repeated crashes of its state machine would do:
 * `take-actor-out-of-service-test-process.ts <data> <kind> <id>`. It is a separate process, because a process that opens an
 * embedded database keeps it open until the process ends.
 */
import { databaseUrl } from "../../../actors/node/paths-in-data-folder.ts";
import { openStore } from "../../../store/index.ts";

const [data = "", kind = "", id = ""] = process.argv.slice(2);
const { actors } = await openStore({ url: databaseUrl(data) });
const row = await actors.load({ kind, id });
if (!row) throw new Error(`there is no ${kind}/${id}`);
const parked = { code: "internal.defect", message: "It broke.", at: 1_000 };
const rows = [{ ...row, state: "parked", data: JSON.stringify({ ...JSON.parse(row.data), parked }) }];
const fence = (await actors.raiseFences([row.shard])).get(row.shard) ?? 0;
const [outcome] = await actors.commit([
  { shard: row.shard, fence, step: 1, rows, writes: [], deadLetters: [] },
]);
if (!outcome?.ok) throw outcome?.error ?? new Error("no outcome");
process.exit(0);
