/** Limits of a browser session: lifecycle, actions, logs, downloads, extraction, sign-in. Milliseconds and bytes unless a name says otherwise. */
import { DAY, MB, MINUTE, SECOND } from "../units.ts";

export const lifecycleLimits = {
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
} as const;

export const logLimits = {
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
} as const;

export const downloadLimits = {
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
} as const;

export const extractLimits = {
  /** Characters of HTML that are read, frames included. */
  source: 10 * 1_024 * 1_024,
  /** Characters of Markdown that are told when its caller names no number. */
  characters: 100_000,
  links: 2_000,
  tables: 100,
  rows: 2_000,
  /** Characters of one cell. */
  cell: 1_000,
} as const;

export const leftOutLimits = {
  /** Elements that are told with the reason why they were left out. */
  most: 500,
  textLength: 80,
} as const;

/** Bytes of one PDF. */
export const MAX_PDF_BYTES = 100 * 1_024 * 1_024;

export const loginLimits = {
  /** Fields of one recipe. */
  fields: 20,
  /** A field is there in this time … */
  fieldWithin: 10 * SECOND,
  /** … or, where others were filled meanwhile, this: then it is on the next step. */
  nextWithin: SECOND,
  /** From the last thing that was sent to what shows that it worked. */
  successWithin: 20 * SECOND,
  /** For so long a page asks for it once more before it is taken for refused. */
  refusedFor: 3 * SECOND,
  /** Everything included; an act may take no longer. */
  within: 40 * SECOND,
  /** Characters that are told of what the page says went wrong. */
  complaint: 300,
} as const;

export const secretLimits = {
  most: 1_000,
  valueLength: 10_000,
  hosts: 20,
} as const;

export const environmentLimits = {
  headers: 50,
  headerLength: 8_000,
  cookies: 3_000,
  origins: 500,
  /** Databases of one origin. */
  databases: 100,
} as const;

export const sessionLimits = {
  /** Window of a session when its caller names none: as the seed has it. */
  viewport: { width: 1_920, height: 1_080 },
  /** Frames a second of its video. */
  fps: 10,
  /** From the request for a session to its first loaded document: a browser may have to be started before. */
  startWithin: 60 * SECOND,
  /** Tabs of one session; one more is closed as it opens. */
  tabs: 20,
  /** From the request to the loaded document; one that takes longer is taken as it is. */
  loadWithin: 15 * SECOND,
  /** The page that the browser shows for one that cannot be opened comes this soon, also on a busy machine. */
  troubleWithin: 5 * SECOND,
  /** How long an act waits for its element to be visible, at rest, free and enabled … */
  actionableWithin: 5 * SECOND,
  /** … or until nothing has stirred on the page for so long, where what hinders waits for somebody. */
  hopelessAfter: 1_500,
  /** … looking this often. */
  actionableEvery: 50,
  /** What comes into sight under a pointer that only lies there comes within this. */
  hoverWithin: 400,
  /** Presses of a key that a slider is moved by, at most. */
  slides: 1_000,
  /** What a click lets come into sight by degrees is waited for so long. */
  arrivesWithin: 800,
  /** What a click asked for is waited for so long, where nothing changed yet. */
  requestedWithin: SECOND,
  /** Who waits for news of a session looks again after this without any: an owner that is lost tells nobody. */
  newsWithin: 250,
  /** From the first event of an act to the last; the lease has to outlast it. */
  dispatchWithin: 2 * SECOND,
  /** A window that an act opened is told with the act if it comes so soon after. */
  windowsWithin: SECOND,
  /** How long an act waits for its lease to be renewed. */
  leaseWithin: 5 * SECOND,
  /** An answer of a page, or it hangs. */
  answerWithin: 10 * SECOND,
  /** An act, everything included, waiting excepted. */
  actWithin: 45 * SECOND,
  /** Seconds of one wait. */
  longestWait: 60,
  /** Pixels of one scroll. */
  scrollAmount: 100_000,
  /** Between two looks for what is waited for. */
  lookEvery: 100,
  /** Acts that wait for those before them; one more is refused. */
  waiting: 100,
  /** Acts whose outcome is remembered, so that who lost the answer can ask again. */
  outcomes: 20,
  /** Characters of the data of an outcome that is remembered. */
  outcomeLength: 8_000,
  /** Steps of one recording; what comes after is not recorded. */
  recordedSteps: 500,
  /** Recordings of one list. */
  recordings: 1_000,
  /** Characters of what an act tells of the page's changes. */
  changeLength: 3_000,
  /** Elements of a page above which what tells those apart that are called the same takes up more than it tells. */
  namesakesUpTo: 100,
  /** Elements of a page above which acts do not look for what they changed, since that takes longer than they do. */
  changeElements: 1_000,
  /** Characters of a result from which on those who follow the room are told where it is kept. */
  heavy: 64 * 1_024,
  /** Characters of a page's text in a summary of it. */
  summary: 8_000,
  /** Milliseconds between two keys of one who types slowly, and at the most … */
  keyDelay: 60,
  longestKeyDelay: 1_000,
  /** … and how long typing a text may take in all. */
  typingWithin: 30 * SECOND,
  /** After something was dropped: lists put it into its place with a short animation. */
  dropSettles: 350,
  /** A form that is sent without a script leads elsewhere in this time, if at all … */
  submitStarts: SECOND,
  /** … and a page that sends it by itself marks what is wrong in this. */
  submitSettles: 300,
  /** Fields of one form. */
  formFields: 200,
  /** A button that asks for files does so in this time. */
  chooserWithin: SECOND,
  /** Files of one upload, and their bytes together. */
  uploadFiles: 20,
  uploadBytes: 32 * 1_024 * 1_024,
  /** Characters of a file's content that comes with the call. */
  uploadContent: 900_000,
  /** A list that is opened is there, and filled, in this time … */
  listWithin: 5 * SECOND,
  /** … when nothing came into it for so long; longer for what is looked for, which may be on its way. */
  listQuiet: 300,
  listPatience: SECOND,
  /** Scrolling through one that holds only what is seen of it. */
  listWalk: 15 * SECOND,
  /** Options that are told of one list. */
  listOptions: 2_000,
  /** What a click on a field, or on the button beside it, may take to bring its calendar into sight. */
  calendarWithin: SECOND,
  /** A calendar that stays as it is for so long is drawn to its end, where its days do not show that they are. */
  drawnWithin: 300,
  /** A field that holds nothing so long after its day was marked waits for something more; a calendar is gone by then. */
  takenWithin: 400,
  /** … and one to go out of sight whose day was taken, before it is closed. */
  closesWithin: 300,
  /** Turning a calendar to the month of a date. */
  datesWithin: 30 * SECOND,
  /** A player does what it is told in this time, or says why not. */
  mediaWithin: 3 * SECOND,
  /** A banner that asks for consent comes in this time after the page … */
  consentComes: 2 * SECOND,
  /** … and goes in this when it was answered. */
  consentGone: 3 * SECOND,
  /** Characters of what a caller's script answers. */
  evaluateLength: 100_000,
  /** The longest side of a screenshot, in pixels. */
  screenshotSide: 16_384,
  /** Following what pages do, while somebody hears of it. */
  watching: {
    /** Changes of a document are told when nothing more came for so long … */
    quiet: 100,
    /** … and of one that never rests this often. */
    most: SECOND,
    /** What is shown is looked at this often at the most … */
    contentEvery: 500,
    /** … and rests for so many times as long as a look took. */
    contentShare: 5,
  },
} as const;
