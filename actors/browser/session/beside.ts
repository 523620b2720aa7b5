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
} from "../../../machines/session/logs.ts";
import { Redactor } from "../../../machines/session/redaction.ts";
import type { Connection } from "../connection.ts";
import type { BrowserProxy } from "../launch.ts";
import { Downloads } from "./downloads.ts";
import { Journal } from "./journal.ts";
import { toldFile } from "./pdf.ts";
import type { Data } from "./touch.ts";

export class Beside {
  /** Keeps what is secret in the session out of what is told of it. */
  readonly redactor = new Redactor();
  readonly journal: Journal;
  /** Files that its pages gave; without a folder they give none. */
  readonly downloads: Downloads | undefined;
  /** The tab of which it is told how much is under way. */
  readonly #shown: () => string | undefined;

  constructor(
    {
      connection,
      contextId,
      proxy,
    }: {
      readonly connection: Connection;
      readonly contextId: string;
      readonly proxy: BrowserProxy | undefined;
    },
    folder: string | undefined,
    shown: () => string | undefined,
  ) {
    this.#shown = shown;
    this.journal = new Journal(this.redactor, proxy);
    if (folder !== undefined) this.downloads = new Downloads(connection, contextId, folder, this.redactor);
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
      return begun.length > 0 ? { downloads: begun.map(toldFile) } : {};
    };
  }
}
