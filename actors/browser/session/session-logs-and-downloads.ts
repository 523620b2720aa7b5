/**
 * The resources of a session besides its pages: the journal of console and network, the downloads, and the
 * redactor that masks secrets.
 */
import type {
  ConsoleLog,
  ConsoleOptions,
  NetworkLog,
  NetworkOptions,
} from "../../../machines/session/outputs/console-and-network-log-schemas.ts";
import { Redactor } from "../../../machines/session/state/secret-redaction.ts";
import type { Connection } from "../chromium/devtools-connection.ts";
import type { BrowserProxy } from "../chromium/launch-chromium.ts";
import type { Data } from "./actions/pointer-and-key-input.ts";
import { Journal } from "./journal/console-and-network-journal.ts";
import { AwaitedRequests, type RequestWaitOptions } from "./journal/pending-requests-of-page.ts";
import { fileResultOf } from "./snapshot/save-pdf.ts";
import { Downloads } from "./state/session-downloads.ts";

/** The browser context in which the session runs. */
interface BrowserContext {
  readonly connection: Connection;
  readonly contextId: string;
  readonly proxy: BrowserProxy | undefined;
}

export class SessionResources {
  /** Masks the session's secrets in everything that the session returns. */
  readonly redactor = new Redactor();
  readonly journal: Journal;
  readonly requests: AwaitedRequests;
  /** The downloads of the pages; undefined when the session has no folder for them. */
  readonly downloads: Downloads | undefined;
  readonly #context: BrowserContext;
  /**
   * Returns the DevTools target id of the active tab. The network log counts the pending requests of this tab.
   */
  readonly #activeTarget: () => string | undefined;

  constructor(
    context: BrowserContext,
    { downloads: folder, ...waits }: { readonly downloads?: string | undefined } & RequestWaitOptions,
    activeTarget: () => string | undefined,
  ) {
    const { connection, contextId, proxy } = context;
    this.requests = new AwaitedRequests(waits);
    this.#context = context;
    this.#activeTarget = activeTarget;
    this.journal = new Journal(this.redactor, proxy);
    if (folder !== undefined) this.downloads = new Downloads(connection, contextId, folder, this.redactor);
  }

  /** Allows the pages to download files into the folder. Without a folder, downloads are refused. */
  async acceptDownloads(): Promise<void> {
    const { connection, contextId: browserContextId } = this.#context;
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
   * Remembers the files that exist before an action. The returned function takes the data of the action's
   * result, and returns the files that were created since. If the data already lists files, it returns
   * nothing.
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
