/**
 * Receives the downloads of pages into the session's folder, with safe names and within the session's limits.
 * Chromium writes each file under a random id. Cairn renames the file when the download is complete.
 */
import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { readingLimits } from "../../../../machines/reading/page-reading-limits.ts";
import {
  type DownloadRecord,
  mimeTypeOf,
  safeName,
} from "../../../../machines/session/outputs/download-names.ts";
import { downloadLimits } from "../../../../machines/session/session-limits.ts";
import { withoutPasswords } from "../../../../machines/session/state/passwords-in-addresses.ts";
import type { Redactor } from "../../../../machines/session/state/secret-redaction.ts";
import type { Connection } from "../../chromium/devtools-connection.ts";
import { FileFolder, makePrivate } from "./session-file-folder.ts";

/** The event by which Chromium reports that a page starts a download. */
export interface DownloadStart {
  readonly guid: string;
  readonly url: string;
  readonly suggestedFilename: string;
}

/** The event by which Chromium reports the progress or the end of a download. */
export interface DownloadProgress {
  readonly guid: string;
  readonly receivedBytes: number;
  readonly totalBytes: number;
  readonly state: "inProgress" | "completed" | "canceled";
}

const limits = downloadLimits;

export class Downloads {
  readonly files: FileFolder;
  readonly #connection: Connection;
  readonly #contextId: string;
  readonly #redactor: Redactor;
  readonly #records = new Map<string, DownloadRecord>();
  readonly #waiters = new Set<() => void>();
  /** Number of changes that are not written to the index file (the list of downloads) yet. */
  #pendingWrites = 0;
  /** Total size of the completed files in bytes. */
  #bytes = 0;

  constructor(connection: Connection, contextId: string, folder: string, redactor: Redactor) {
    this.#connection = connection;
    this.#contextId = contextId;
    this.#redactor = redactor;
    this.files = new FileFolder(folder);
  }

  /** Allows the session's pages to download files. */
  async accept(): Promise<void> {
    await this.#connection.root.send("Browser.setDownloadBehavior", {
      behavior: "allowAndName",
      browserContextId: this.#contextId,
      downloadPath: this.files.folder,
      eventsEnabled: true,
    });
    await this.files.sweep(Date.now());
    for (const record of await this.files.list()) this.#bytes += record.bytes;
  }

  /** Returns the files of this session in the order in which their downloads were started. */
  all(): readonly DownloadRecord[] {
    return [...this.#records.values()];
  }

  get busy(): boolean {
    return this.#pendingWrites > 0 || this.all().some(({ state }) => state === "in_progress");
  }

  knows(guid: string): boolean {
    return this.#records.has(guid);
  }

  /** Resolves with the next change of a download, or after `within` milliseconds. */
  async nextChange(within: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#waiters.add(resolve);
      timer = setTimeout(() => {
        this.#waiters.delete(resolve);
        resolve();
      }, within);
    });
    clearTimeout(timer);
  }

  begin({ guid, url, suggestedFilename }: DownloadStart): void {
    const name = safeName(this.#redactor.text(suggestedFilename));
    const record: DownloadRecord = {
      id: guid,
      name,
      suggested_name: this.#redactor.text(suggestedFilename.slice(0, 300)),
      url: withoutPasswords(this.#redactor.text(url.slice(0, readingLimits.urlLength))),
      kind: "download",
      state: "in_progress",
      bytes: 0,
      mime_type: mimeTypeOf(name),
      started_at: new Date().toISOString(),
      finished_at: null,
      error: null,
    };
    this.#records.set(guid, record);
    if (this.#records.size > limits.maxFiles) {
      this.#refuse(
        record,
        `A session takes ${limits.maxFiles} files; remove some, or start another session.`,
      );
    } else this.#save(record);
  }

  async progress({ guid, receivedBytes, totalBytes, state }: DownloadProgress): Promise<void> {
    const record = this.#records.get(guid);
    if (record?.state !== "in_progress") return;
    const remaining = limits.bytes - this.#bytes;
    if (state === "inProgress") {
      if (Math.max(receivedBytes, totalBytes) > remaining) this.#tooLarge(record);
      return;
    }
    const finished_at = new Date().toISOString();
    if (state === "canceled") {
      const error = { code: "download.canceled", message: "It was broken off by the page or the network." };
      return this.#save({ ...record, state: "canceled", finished_at, error });
    }
    const path = this.files.path(record);
    await rename(join(this.files.folder, guid), path);
    await makePrivate(path);
    const { size } = await stat(path);
    this.#bytes += size;
    this.#save({ ...record, state: "completed", bytes: size, finished_at });
  }

  /** Adds a file that Cairn has made from a page, such as a PDF. */
  async add(suggested: string, url: string, data: Uint8Array): Promise<DownloadRecord> {
    const name = safeName(this.#redactor.text(suggested));
    const now = new Date().toISOString();
    const record: DownloadRecord = {
      id: crypto.randomUUID(),
      name,
      suggested_name: this.#redactor.text(suggested.slice(0, 300)),
      url: this.#redactor.text(url.slice(0, readingLimits.urlLength)),
      kind: "pdf",
      state: "completed",
      bytes: data.length,
      mime_type: mimeTypeOf(name),
      started_at: now,
      finished_at: now,
      error: null,
    };
    await this.files.write(record, data);
    this.#bytes += data.length;
    this.#records.set(record.id, record);
    await this.files.put(record);
    return record;
  }

  async remove(id: string): Promise<void> {
    await this.files.remove(id);
    this.#bytes -= this.#records.get(id)?.bytes ?? 0;
    this.#records.delete(id);
  }

  /** Returns why a file of this size is refused, or `undefined` when it may be added. */
  refusalReason(bytes: number): string | undefined {
    if (this.#records.size >= limits.maxFiles) return `A session takes ${limits.maxFiles} files.`;
    return this.#bytes + bytes > limits.bytes ? TOO_LARGE : undefined;
  }

  #tooLarge(record: DownloadRecord): void {
    this.#refuse(record, TOO_LARGE);
  }

  #refuse(record: DownloadRecord, message: string): void {
    const cancelling = this.#connection.root.send("Browser.cancelDownload", {
      guid: record.id,
      browserContextId: this.#contextId,
    });
    // When the download is already complete, it cannot be cancelled, so the error is ignored. The next
    // `sweep` removes the file.
    cancelling.catch(() => {});
    const error = { code: "download.limit", message };
    this.#save({ ...record, state: "refused", finished_at: new Date().toISOString(), error });
  }

  #save(record: DownloadRecord): void {
    this.#records.set(record.id, record);
    this.#pendingWrites++;
    const writing = this.files.put(record);
    const finish = (): void => {
      this.#pendingWrites--;
      for (const resolve of this.#waiters) resolve();
      this.#waiters.clear();
    };
    // `finish` is called even if the index file cannot be written, so that callers do not wait forever. The
    // next read of the index reports the error.
    void writing.then(finish, finish);
  }
}

const TOO_LARGE = `The files of a session may have ${limits.bytes / 1_048_576} MB together; remove some.`;
