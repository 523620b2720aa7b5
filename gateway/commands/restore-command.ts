/** `cairn restore`: restores a backup into the data folder. A running Cairn must be stopped first. */
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Refused } from "../../machines/errors.ts";
import { loadConfig } from "../config.ts";
import { findGateway, prepareDataFolder } from "../running-gateway-file.ts";
import { storeSettings } from "../store-settings.ts";
import { atMost, type Command, ExitCode, flag } from "./cli-command-interface.ts";

export const restore: Command = {
  usage: "<file> [--force]",
  description:
    "Cairn must not be running. A data folder that holds something is only replaced with --force. With SURREAL_URL the\n" +
    "backup goes into the server's database, which must be empty: name a new one with SURREAL_DB.",
  options: {
    force: { type: "boolean", description: "replace what the data folder holds" },
    json: { type: "boolean", description: "the result as JSON" },
  },
  async run(context) {
    atMost(context, 1);
    const [file] = context.positionals;
    if (file === undefined) throw new Refused("usage.invalid", "Which backup? `cairn restore <file>`.");
    const path = resolve(file);
    // A backup file that cannot be read is reported as missing.
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) throw new Refused("restore.no_file", `There is no backup at ${path}.`);
    const { config } = loadConfig(context.env);
    const gateway = await findGateway(config.dataDir);
    if (gateway) {
      throw new Refused(
        "store.locked",
        `Cairn is running (process ${gateway.pid}, ${gateway.url}) and uses ${config.dataDir}. Stop it, then restore.`,
        { status: 409 },
      );
    }
    await prepareDataFolder(config.dataDir);
    const store = storeSettings(config);
    const { restoreStore } = await import("../../actors/index.ts");
    const { records } = await restoreStore(store, config.dataDir, path, {
      force: flag(context, "force"),
    });
    if (flag(context, "json")) context.terminal.out(JSON.stringify({ file: path, records }));
    else
      context.terminal.out(
        `Restored ${records} records into ${store.kind === "server" ? store.server.url : config.dataDir}`,
      );
    const key = join(config.dataDir, "key");
    // The advice about the missing key file goes to standard error, because programs read the result of the command
    // from standard output.
    if (!existsSync(key))
      context.terminal.err(
        `There is no ${key}. Copy the file key of the data folder that was backed up: stored secrets and saved sessions cannot be opened without it.`,
      );
    return ExitCode.done;
  },
};
