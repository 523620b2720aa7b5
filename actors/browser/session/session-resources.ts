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
import type { SessionBrowser } from "./session-contract.ts";
import { fileResultOf } from "./snapshot/save-pdf.ts";
import { Downloads } from "./state/downloads.ts";

export class SessionResources {
  /** Removes the session's secrets from everything that leaves the session. */
  readonly redactor = new Redactor();
  readonly journal: Journal;
  /** Downloads of the pages; undefined if the session has no folder for them. */
  readonly downloads: Downloads | undefined;
  readonly #browser: Pick<SessionBrowser, "connection" | "contextId" | "proxy">;
  /** Target id of the active tab, whose pending requests the network log counts. */
  readonly #activeTarget: () => string | undefined;

  constructor(
    browser: Pick<SessionBrowser, "connection" | "contextId" | "proxy">,
    folder: string | undefined,
    activeTarget: () => string | undefined,
  ) {
    const { connection, contextId, proxy } = browser;
    this.#browser = browser;
    this.#activeTarget = activeTarget;
    this.journal = new Journal(this.redactor, proxy);
    if (folder !== undefined) this.downloads = new Downloads(connection, contextId, folder, this.redactor);
  }

  /** Allows the pages to download into the folder, or denies downloads if there is no folder. */
  async acceptDownloads(): Promise<void> {
    const { connection, contextId: browserContextId } = this.#browser;
    if (this.downloads) await this.downloads.accept();
    else await connection.root.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId });
  }

  console(options: ConsoleOptions): ConsoleLog {
    return this.journal.console(options);
  }

  network(options: NetworkOptions): NetworkLog {
    return this.journal.network(options, this.#activeTarget() ?? "");
  }

  /**
   * Records the known files. The returned function reports the files that an action added, unless the
   * action's data already reports files.
   */
  trackFiles(): (data: Data) => Data {
    const known = new Set(this.downloads?.all().map(({ id }) => id));
    return ({ file, files }) => {
      if (file !== undefined || files !== undefined) return {};
      const added = this.downloads?.all().filter(({ id }) => !known.has(id)) ?? [];
      return added.length > 0 ? { downloads: added.map(fileResultOf) } : {};
    };
  }
}
