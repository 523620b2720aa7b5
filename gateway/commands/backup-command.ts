/**
 * `cairn backup`: writes the complete store into one file. If a gateway runs, the gateway writes the file,
 * because it holds the database. Otherwise the command opens the store.
 */
import { copyFile, mkdir, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Refused } from "../../machines/errors.ts";
import { openCliClient } from "../cli-client.ts";
import { loadConfig } from "../config.ts";
import { findGateway } from "../running-gateway-file.ts";
import { atMost, type Command, ExitCode, flag, text } from "./cli-command-interface.ts";

export const backup: Command = {
  usage: "[--to <dir>] [--json]",
  description: "Works while Cairn runs. Without --to the file goes into `backups` of the data folder.",
  options: {
    to: { type: "string", value: "dir", description: "folder to write the file into" },
    json: { type: "boolean", description: "the result as JSON" },
  },
  async run(context) {
    atMost(context, 0);
    const loaded = loadConfig(context.env);
    const { config } = loaded;
    const to = text(context, "to");
    const folder = to === undefined ? undefined : resolve(to);
    const gateway = await findGateway(config.dataDir);
    const operator = await openCliClient(loaded, { command: "backup" });
    try {
      const written = await operator.backup(folder);
      let file = gateway ? join(config.dataDir, written.file) : written.file;
      if (gateway && folder !== undefined) {
        file = await copied(file, folder);
      }
      if (flag(context, "json")) context.terminal.out(JSON.stringify({ file, records: written.records }));
      else {
        context.terminal.out(`Backed up ${written.records} records to ${file}`);
        context.terminal.out(`To bring them back: ${context.advise("restore")} ${file}`);
        context.terminal.out(
          `Keep ${join(config.dataDir, "key")} apart from it: stored secrets cannot be opened without this file.`,
        );
      }
      return ExitCode.done;
    } finally {
      await operator.close();
    }
  },
};

/** Copies the backup into the folder. A copy that is not complete is removed, since it cannot be restored. */
async function copied(file: string, folder: string): Promise<string> {
  const copy = join(folder, basename(file));
  try {
    await mkdir(folder, { recursive: true });
    await copyFile(file, copy).catch(async (error: unknown) => {
      await rm(copy, { force: true });
      throw error;
    });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Refused(
      "backup.not_copied",
      `The backup is complete at ${file}, but cannot be copied to ${folder}: ${why}`,
      { cause },
    );
  }
  return copy;
}
