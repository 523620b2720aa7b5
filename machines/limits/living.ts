/**
 * Numbers of the life of a browser session: rest, what is saved of it, what it may grow to.
 * Durations are milliseconds, sizes bytes, unless the name says otherwise. Neighbour: `../limits.ts` joins them.
 */
import { DAY, MINUTE, SECOND } from "./units.ts";

const MB = 1_024 * 1_024;

export const living = {
  living: {
    /** Live sessions of a node that nobody has told how many there may be. */
    live: 16,
    /** A session that nobody looked at or acted in for this long hibernates. */
    idle: 5 * MINUTE,
    /** An actor of a session that is at rest leaves memory after this. */
    resident: 5 * SECOND,
    /** One that must not, because something is open in it, is asked again after this. */
    askAgain: 15 * SECOND,
    /** A session that was woken for somebody is not sent to rest again before that one has used it, for so long. */
    promised: 2 * SECOND,
    /** Who waits for a place looks again after this whether a session can go to rest. */
    placeEvery: 250,
    /** Memory of one live session, by which the default number of them is reckoned; an idle context takes some 15 MB. */
    reckoned: 192 * MB,
    /** Of the machine's memory the live sessions may fill this part, by the same reckoning. */
    memoryShare: 1 / 4,
    /** Live sessions that a core can serve, when most of them wait for their callers. */
    perCore: 8,
    /** After an act the session is saved when none followed for so long … */
    saveAfter: SECOND,
    /** … and at the latest after this, while acts follow each other … */
    saveWithin: 5 * SECOND,
    /** … but a save is followed by this many times what it took without one, so that large ones stay cheap. */
    saveRest: 20,
    /** Without acts too, since pages work by themselves. */
    saveEvery: MINUTE,
    /** Databases of pages are saved this often at most: they are read whole. */
    databasesEvery: 30 * SECOND,
    /** Pages of one tab's history that are kept, in each direction. */
    history: 50,
    /** Elements of which an old index can still be told what it was. */
    elements: 1_000,
    /** Fields of one document, characters of one value, and scrolled elements, that are put back. */
    fields: 500,
    fieldLength: 100_000,
    scrolled: 20,
    /** What scripts keep for one origin: characters of its storage, and bytes of its databases. */
    storageLength: 10 * MB,
    databaseBytes: 16 * MB,
    /** Origins that were left behind and whose storage is fetched before a session rests. */
    origins: 20,
    /** A document made only to reach the storage of its origin is there in this time. */
    standInWithin: 5 * SECOND,
    /** Fields that come with scripts have this long to come before their values count as lost. */
    fieldsWithin: 2 * SECOND,
    /** What scripts of all tabs of a session hold together; one that holds more is ended, saved as it was before. */
    heap: 1_024 * MB,
    /** From the first start of a session to its end, whatever it does. */
    lifetime: 7 * DAY,
  },
} as const;
