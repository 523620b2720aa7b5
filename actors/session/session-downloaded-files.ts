/** Lists, reads and removes the downloaded files of a session, with or without a live browser. */
import { join } from "node:path";
import { Refused } from "../../machines/errors.ts";
import type { DownloadRecord } from "../../machines/session/outputs/download-names.ts";
import type { FilePiece } from "../../machines/session/session-protocol.ts";
import { type Browser, type BrowserSession, FileFolder } from "../browser/index.ts";

/**
 * Returns the folder of a session's files. The session's name is encoded, because it may contain characters
 * that are invalid in paths.
 */
export function roomFolder(folder: string | undefined, room: string): string | undefined {
  return folder === undefined ? undefined : join(folder, Buffer.from(room).toString("base64url"));
}

export class RoomFiles {
  readonly #folder: FileFolder;
  readonly #session: BrowserSession | undefined;

  constructor(browser: Browser, room: string, session: BrowserSession | undefined) {
    const folder = roomFolder(browser.downloads, room);
    if (folder === undefined) throw new Refused("download.not_enabled", "Sessions here keep no files.");
    this.#folder = new FileFolder(folder);
    this.#session = session;
  }

  async list(): Promise<readonly DownloadRecord[]> {
    return await this.#folder.list();
  }

  async piece(id: string, from: number): Promise<FilePiece> {
    const { record, data, next } = await this.#folder.read(id, from);
    return { record, data: Buffer.from(data).toString("base64"), next };
  }

  async remove(id: string): Promise<null> {
    const found = (await this.#folder.list()).find((one) => one.id === id);
    if (found?.state === "in_progress" && this.#session) {
      throw new Refused("download.not_ready", `${found.name} is still coming.`, { status: 409 });
    }
    const { downloads } = this.#session?.resources ?? {};
    await (downloads ?? this.#folder).remove(id);
    return null;
  }
}
