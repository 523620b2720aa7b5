/**
 * The folder of a session's files, with an index file. Both are kept after the session has ended. The worker
 * that owns the session is the only writer of the index.
 */
import { chmod, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Refused } from "../../../../machines/errors.ts";
import type { DownloadRecord } from "../../../../machines/session/outputs/download-names.ts";
import { downloadLimits } from "../../../../machines/session/session-limits.ts";

/** The part of a file that one call returns. */
export interface FileChunk {
  readonly data: Uint8Array;
  /** The offset of the next chunk, or `null` after the last one. */
  readonly next: number | null;
}

/**
 * Maps each folder to the promise of the last change of its index file. The next change waits for this
 * promise.
 */
const pendingChanges = new Map<string, Promise<unknown>>();

export class FileFolder {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async list(): Promise<readonly DownloadRecord[]> {
    try {
      // The cast is safe: only `#change` writes the index file, and it writes only `DownloadRecord` objects.
      return JSON.parse(await readFile(this.#index, "utf8")) as readonly DownloadRecord[];
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Adds a file's record to the folder's index file, or replaces the record with the same id. */
  put(record: DownloadRecord): Promise<void> {
    return this.#change((records) => {
      const at = records.findIndex(({ id }) => id === record.id);
      return at < 0 ? [...records, record] : records.with(at, record);
    });
  }

  /** Writes a file that the session has created into its folder. */
  async write(record: DownloadRecord, data: Uint8Array): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(this.path(record), data, { mode: 0o600 });
  }

  /** Removes a file. Throws `download.not_found` (404) when the file does not exist. */
  async remove(id: string): Promise<void> {
    const record = await this.#find(id);
    await rm(this.path(record), { force: true });
    await this.#change((records) => records.filter((other) => other.id !== id));
  }

  /**
   * Reads a chunk of a completed file. Throws `download.not_found` (404), `download.not_ready` (409) or
   * `download.gone` (404).
   */
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

  /**
   * Returns the path of a file. It cannot lead out of the folder, because Cairn has generated the id and made
   * the name safe.
   */
  path({ id, name }: Pick<DownloadRecord, "id" | "name">): string {
    return join(this.folder, `${id.slice(0, 8)}-${name}`);
  }

  /** Removes files whose retention has ended, incomplete files, and files without a record. */
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
    const found = (await this.list()).find((other) => other.id === id);
    if (found) return found;
    throw new Refused("download.not_found", `There is no file ${id.slice(0, 100)} of this session.`, {
      status: 404,
    });
  }

  #change(work: (records: readonly DownloadRecord[]) => readonly DownloadRecord[]): Promise<void> {
    const before = pendingChanges.get(this.folder) ?? Promise.resolve();
    const change = before.then(async () => {
      const records = work(await this.list());
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const temporary = `${this.#index}.new`;
      await writeFile(temporary, JSON.stringify(records), { mode: 0o600 });
      await rename(temporary, this.#index);
    });
    // The next change waits for the promise `settled`, so this promise must not reject. The error of a failed
    // change is reported to the caller of that change.
    const settled = change.catch(() => {});
    pendingChanges.set(this.folder, settled);
    void settled.then(() => {
      if (pendingChanges.get(this.folder) === settled) pendingChanges.delete(this.folder);
    });
    return change;
  }
}

/** Makes a downloaded file readable only by its owner, and not executable. */
export async function makePrivate(path: string): Promise<void> {
  await chmod(path, 0o600);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
