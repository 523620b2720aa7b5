/**
 * Who uses a data folder: a small file in it that a running Cairn writes and takes away.
 *
 * It serves for finding the gateway of a folder and for telling people who is in the way. It locks nothing: the
 * store's own lock decides. A file left behind by a killed process is seen through by asking the gateway itself.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Refused } from "../machines/errors.ts";
import { gatewayLimits } from "./limits.ts";
import { INSTANCE_HEADER } from "./rest/health.ts";

const presenceSchema = z.object({
  pid: z.number().int(),
  /** What was started: `serve`, `explore`, … */
  command: z.string(),
  instance: z.string(),
  /** `null`: it does not listen. */
  url: z.string().nullable(),
});
export type Presence = z.infer<typeof presenceSchema>;

function presenceFile(dataDir: string): string {
  return join(dataDir, "running.json");
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Makes the data folder, or says why it cannot be used (`config.data_folder`). */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
  } catch (cause) {
    const code = codeOf(cause) ?? "unknown";
    const why = ["EEXIST", "ENOTDIR"].includes(code) ? "there is a file in its way" : code;
    throw new Refused(
      "config.data_folder",
      `The data folder ${dataDir} cannot be made (${why}). Set CAIRN_DATA to a folder that can be written.`,
      { cause },
    );
  }
}

export async function announce(dataDir: string, presence: Presence): Promise<void> {
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

/** Takes the file away, unless somebody else has written it since. */
export async function withdraw(dataDir: string, instance: string): Promise<void> {
  const found = await readPresence(dataDir);
  if (found?.instance === instance) await rm(presenceFile(dataDir), { force: true });
}

/** The file as it is; `undefined` when there is none, or none that can be read. */
export async function readPresence(dataDir: string): Promise<Presence | undefined> {
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
    return undefined; // written half, by a process that was killed: as good as none
  }
}

/** The instance of the Cairn that answers at a URL; `undefined` when it is another program, or nobody. */
export async function probe(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(new URL("/health", url), {
      signal: AbortSignal.timeout(gatewayLimits.probe),
    });
    await response.body?.cancel();
    return response.headers.get(INSTANCE_HEADER) ?? undefined;
  } catch {
    return undefined; // nobody listens, or it does not speak HTTP in time: not a Cairn
  }
}

/** The gateway that serves this data folder now, wherever it listens. */
export async function findGateway(
  dataDir: string,
): Promise<(Presence & { readonly url: string }) | undefined> {
  const presence = await readPresence(dataDir);
  if (presence === undefined || presence.url === null) return undefined;
  const instance = await probe(presence.url);
  return instance === presence.instance ? { ...presence, url: presence.url } : undefined;
}
