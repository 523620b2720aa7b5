/**
 * The file `running.json` in a data folder names the Cairn that uses the folder, so that commands find its
 * gateway. The file is not a lock, because the store has its own lock. A killed process leaves its file
 * behind, so a reader checks whether the named gateway still answers.
 */
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Refused } from "../machines/errors.ts";
import { gatewayLimits } from "./gateway-limits.ts";
import { INSTANCE_HEADER } from "./rest/health-routes.ts";

const presenceSchema = z.object({
  pid: z.number().int(),
  /** The command that was started, such as `serve` or `explore`. */
  command: z.string(),
  instance: z.string(),
  /** URL of the gateway; `null` when the process does not listen. */
  url: z.string().nullable(),
});
export type PidFile = z.infer<typeof presenceSchema>;

function presenceFile(dataDir: string): string {
  return join(dataDir, "running.json");
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Only the owner may open the data folder, because it contains pages of signed-in sites. */
const PRIVATE_FOLDER = 0o700;

const CAUSES: Readonly<Record<string, string>> = {
  EEXIST: "there is a file in its way",
  ENOTDIR: "there is a file in its way",
  EROFS: "its file system is read-only",
  EACCES: "this user may not write there",
  ENOSPC: "the disk is full",
};

/**
 * Creates the data folder so that only its owner can read it. Throws `config.data_folder` when that is
 * impossible.
 */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: PRIVATE_FOLDER });
    // A folder from an earlier version may be readable for every user of the machine, so its mode is changed.
    await chmod(dataDir, PRIVATE_FOLDER);
  } catch (cause) {
    const code = codeOf(cause) ?? "unknown";
    const why = CAUSES[code] ?? code;
    throw new Refused(
      "config.data_folder",
      `The data folder ${dataDir} cannot be made (${why}). Set CAIRN_DATA to a folder that can be written.`,
      { cause },
    );
  }
}

export async function writePidFile(dataDir: string, presence: PidFile): Promise<void> {
  try {
    await writeFile(presenceFile(dataDir), `${JSON.stringify(presence)}\n`);
  } catch (cause) {
    throw new Refused(
      "config.data_folder",
      `The data folder ${dataDir} cannot be written (${codeOf(cause) ?? "unknown"}). ` +
        "Free some disk, correct its permissions, or set CAIRN_DATA to another folder.",
      { cause },
    );
  }
}

/** Removes the file. If another process has replaced the file in the meantime, the file is kept. */
export async function removePidFile(dataDir: string, instance: string): Promise<void> {
  const found = await readPidFile(dataDir);
  if (found?.instance === instance) await rm(presenceFile(dataDir), { force: true });
}

/** Returns the content of the file. Returns `undefined` when the file is missing or unreadable. */
export async function readPidFile(dataDir: string): Promise<PidFile | undefined> {
  let text: string;
  try {
    text = await readFile(presenceFile(dataDir), "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
  try {
    return presenceSchema.parse(JSON.parse(text));
  } catch {
    return undefined; // The file of a killed process may be incomplete. It is treated as missing.
  }
}

/** Returns the instance id of the Cairn at a URL; `undefined` when no Cairn answers there. */
export async function probe(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(new URL("/health", url), {
      signal: AbortSignal.timeout(gatewayLimits.probe),
    });
    await response.body?.cancel();
    return response.headers.get(INSTANCE_HEADER) ?? undefined;
  } catch {
    return undefined; // No HTTP answer has arrived in time, so no Cairn is running at the URL.
  }
}

/** Returns the gateway that currently serves this data folder. */
export async function findGateway(
  dataDir: string,
): Promise<(PidFile & { readonly url: string }) | undefined> {
  const presence = await readPidFile(dataDir);
  if (presence === undefined || presence.url === null) return undefined;
  const instance = await probe(presence.url);
  return instance === presence.instance ? { ...presence, url: presence.url } : undefined;
}
