/**
 * What a session has beside its pages: the journal of what they said and asked for, the files they gave, and the
 * secrets that are told of none of them.
 *
 * Neighbours: `browser-session.ts` has one and asks it what an act brought, `../running.ts` tells it of downloads.
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
  /** Keeps what is secret in the session out of what is told of it. */
  readonly redactor = new Redactor();
  readonly journal: Journal;
  /** Files that its pages gave; without a folder they give none. */
  readonly downloads: Downloads | undefined;
  readonly #place: Pick<SessionPlace, "connection" | "contextId" | "proxy">;
  /** The tab of which it is told how much is under way. */
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

  /** From now on its pages give their files into the folder; none where there is no folder. */
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

  /** Remembers which files there are; the answer tells those that an act brought and does not tell of itself. */
  noting(): (told: Data) => Data {
    const known = new Set(this.downloads?.all().map(({ id }) => id));
    return ({ file, files }) => {
      if (file !== undefined || files !== undefined) return {};
      const begun = this.downloads?.all().filter(({ id }) => !known.has(id)) ?? [];
      return begun.length > 0 ? { downloads: begun.map(fileResultOf) } : {};
    };
  }
}
