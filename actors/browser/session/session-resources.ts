/**
 * What a session has besides its pages: the journal of console and network, the downloads, and the redactor
 * of secrets.
 */
import type {
  ConsoleLog,
  ConsoleOptions,
  NetworkLog,
  NetworkOptions,
} from "../../../machines/session/log-schemas.ts";
import { Redactor } from "../../../machines/session/secret-redaction.ts";
import type { Data } from "./actions/page-input.ts";
import { Journal } from "./journal/journal.ts";
import type { SessionPlace } from "./session-contract.ts";
import { fileResultOf } from "./snapshot/save-pdf.ts";
import { Downloads } from "./state/downloads.ts";

export class SessionResources {
  /** Removes the session's secrets from everything that leaves the session. */
  readonly redactor = new Redactor();
  readonly journal: Journal;
  /** Downloads of the pages; undefined if the session has no folder for them. */
  readonly downloads: Downloads | undefined;
  readonly #place: Pick<SessionPlace, "connection" | "contextId" | "proxy">;
  /** Target id of the active tab, whose pending requests the network log counts. */
  readonly #shown: () => string | undefined;

  constructor(
    place: Pick<SessionPlace, "connection" | "contextId" | "proxy">,
    folder: string | undefined,
    shown: () => string | undefined,
  ) {
    const { connection, contextId, proxy } = place;
    this.#place = place;
    this.#shown = shown;
    this.journal = new Journal(this.redactor, proxy);
    if (folder !== undefined) this.downloads = new Downloads(connection, contextId, folder, this.redactor);
  }

  /** Allows the pages to download into the folder, or denies downloads if there is no folder. */
  async takeFiles(): Promise<void> {
    const { connection, contextId: browserContextId } = this.#place;
    if (this.downloads) await this.downloads.accept();
    else await connection.root.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId });
  }

  console(options: ConsoleOptions): ConsoleLog {
    return this.journal.console(options);
  }

  network(options: NetworkOptions): NetworkLog {
    return this.journal.network(options, this.#shown() ?? "");
  }

  /**
   * Records the known files. The returned function reports the files that an action added, unless the
   * action's data already reports files.
   */
  noting(): (told: Data) => Data {
    const known = new Set(this.downloads?.all().map(({ id }) => id));
    return ({ file, files }) => {
      if (file !== undefined || files !== undefined) return {};
      const begun = this.downloads?.all().filter(({ id }) => !known.has(id)) ?? [];
      return begun.length > 0 ? { downloads: begun.map(fileResultOf) } : {};
    };
  }
}
