/**
 * Numbers of what sessions tell beside the page itself: logs, downloads, what is taken out of pages, pictures of them.
 * Durations are milliseconds, sizes bytes, unless the name says otherwise. Neighbour: `../limits.ts` joins them.
 */
import { DAY, MINUTE, SECOND } from "./units.ts";

export const seeing = {
  logs: {
    /** Console messages of a session that are kept, the newest … */
    messages: 500,
    /** … and characters of each. */
    messageLength: 2_000,
    /** Requests of a session that are kept, the newest; also how many may be under way to be followed. */
    requests: 1_000,
    /** Characters of an address, and of one header's value. */
    urlLength: 2_000,
    headerLength: 1_000,
    /** Entries of one answer when its caller names no number. */
    told: 100,
    /** No request under way for this long: the network is idle. */
    quiet: 500,
    /** A request that takes longer is held open for news, and not waited for. */
    patience: 10 * SECOND,
  },
  downloads: {
    /** Files of one session, and their bytes together. */
    most: 100,
    bytes: 1_024 * 1_024 * 1_024,
    /** Characters of a file's name. */
    nameLength: 120,
    /** Files of a room that are older are removed when the room gets a new session. */
    keptFor: 7 * DAY,
    /** Bytes that are read of a file at once, on their way to who fetches it. */
    chunk: 256 * 1_024,
    /** A download that an act set off is announced in this time. */
    startsWithin: 300,
    /** How long one wait for downloads may take. */
    within: MINUTE,
  },
  extract: {
    /** Characters of HTML that are read, frames included. */
    source: 10 * 1_024 * 1_024,
    /** Characters of Markdown that are told when its caller names no number. */
    characters: 100_000,
    links: 2_000,
    tables: 100,
    rows: 2_000,
    /** Characters of one cell. */
    cell: 1_000,
  },
  leftOut: {
    /** Elements that are told with the reason why they were left out. */
    most: 500,
    textLength: 80,
  },
  /** Bytes of one PDF. */
  pdfBytes: 100 * 1_024 * 1_024,
} as const;
