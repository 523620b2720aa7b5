/**
 * The folder of a room's files, with a list of them beside: what stays when the session is over.
 *
 * One worker has a room, and writes the list in its turn. Neighbours: `downloads.ts` puts files here, the session kind
 * lists, reads and removes them for whoever asks.
 */
import { chmod, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Refused } from "../../../../machines/errors.ts";
import type { DownloadRecord } from "../../../../machines/session/download-names.ts";
import { downloadLimits } from "../../../../machines/session/limits.ts";

/** What is read of a file at once. */
export interface FileChunk {
  readonly data: Uint8Array;
  /** Where the next one begins; `null` after the last. */
  readonly next: number | null;
}

/** Who changes a list waits for who did before; by folder. */
const turns = new Map<string, Promise<unknown>>();

export class FileFolder {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async list(): Promise<readonly DownloadRecord[]> {
    try {
      return JSON.parse(await readFile(this.#index, "utf8")) as readonly DownloadRecord[]; // Written below.
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Adds a record, or puts it in the place of the one with its id. */
  put(record: DownloadRecord): Promise<void> {
    return this.#change((records) => {
      const at = records.findIndex(({ id }) => id === record.id);
      return at < 0 ? [...records, record] : records.with(at, record);
    });
  }

  /** The bytes of a file that was made here. */
  async write(record: DownloadRecord, data: Uint8Array): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(this.path(record), data, { mode: 0o600 });
  }

  /** `download.not_found` (404) when there is none. */
  async remove(id: string): Promise<void> {
    const record = await this.#find(id);
    await rm(this.path(record), { force: true });
    await this.#change((records) => records.filter((one) => one.id !== id));
  }

  /** Of a completed file. `download.not_found` (404), `download.not_ready` (409), `download.gone` (404). */
  async read(id: string, from: number): Promise<FileChunk & { readonly record: DownloadRecord }> {
    const record = await this.#find(id);
    if (record.state !== "completed") {
      throw new Refused(
        "download.not_ready",
        record.error?.message ?? `${record.name} is ${record.state.replace("_", " ")}.`,
        { status: 409, details: { state: record.state } },
      );
    }
    const file = await open(this.path(record)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      throw new Refused("download.gone", `${record.name} was taken from the data folder.`, { status: 404 });
    });
    try {
      const buffer = new Uint8Array(downloadLimits.chunk);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
      const { size } = await file.stat();
      const next = from + bytesRead;
      return {
        record,
        data: buffer.subarray(0, bytesRead),
        next: bytesRead > 0 && next < size ? next : null,
      };
    } finally {
      await file.close();
    }
  }

  /** Where a file is; its name is safe, and its id is ours. */
  path({ id, name }: Pick<DownloadRecord, "id" | "name">): string {
    return join(this.folder, `${id.slice(0, 8)}-${name}`);
  }

  /** Forgets what is older than it is kept, what never came whole, and what nobody listed. */
  async sweep(now: number): Promise<void> {
    const records = await this.list();
    const kept = records.filter(
      ({ state, started_at }) =>
        state === "completed" && Date.parse(started_at) > now - downloadLimits.keptFor,
    );
    const names = new Set([...kept.map((record) => this.path(record)), this.#index]);
    const files = await readdir(this.folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const file of files) {
      const path = join(this.folder, file);
      if (!names.has(path)) await rm(path, { recursive: true, force: true });
    }
    if (kept.length !== records.length) await this.#change(() => kept);
  }

  get #index(): string {
    return join(this.folder, "downloads.json");
  }

  async #find(id: string): Promise<DownloadRecord> {
    const found = (await this.list()).find((one) => one.id === id);
    if (found) return found;
    throw new Refused("download.not_found", `There is no file ${id.slice(0, 100)} of this session.`, {
      status: 404,
    });
  }

  #change(work: (records: readonly DownloadRecord[]) => readonly DownloadRecord[]): Promise<void> {
    const before = turns.get(this.folder) ?? Promise.resolve();
    const turn = before.then(async () => {
      const records = work(await this.list());
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const draft = `${this.#index}.new`;
      await writeFile(draft, JSON.stringify(records), { mode: 0o600 });
      await rename(draft, this.#index);
    });
    // Whoever comes next is not concerned by what became of this one.
    const settled = turn.catch(() => {});
    turns.set(this.folder, settled);
    void settled.then(() => {
      if (turns.get(this.folder) === settled) turns.delete(this.folder);
    });
    return turn;
  }
}

/** A file that a page gave is nobody else's to read, and nothing to run. */
export async function makePrivate(path: string): Promise<void> {
  await chmod(path, 0o600);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
