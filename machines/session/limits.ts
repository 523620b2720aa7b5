/**
 * Limits of a browser session: lifecycle, actions, logs, downloads, extraction, sign-in. Milliseconds and
 * bytes unless a name says otherwise.
 */
import { DAY, MB, MINUTE, SECOND } from "../units.ts";

export const lifecycleLimits = {
  /** Default number of live sessions of a node. */
  liveSessions: 16,
  /** A session without a query or an action for this long hibernates. */
  idle: 5 * MINUTE,
  /** The actor of a hibernated session leaves memory after this. */
  residentAfterHibernate: 5 * SECOND,
  /** Retry interval for hibernating a session that has something open. */
  retryHibernateEvery: 15 * SECOND,
  /** Time in which a restored session is not hibernated again before its caller has used it. */
  keptAfterRestore: 2 * SECOND,
  /** Retry interval of a session that waits for a free browser slot. */
  pollSlotEvery: 250,
  /** Assumed memory of one live session, for the default number of sessions. An idle context takes about 15 MB. */
  assumedMemory: 192 * MB,
  /** Share of the machine's memory for live sessions. */
  memoryShare: 1 / 4,
  /** Live sessions per core, assuming that most wait for their callers. */
  perCore: 8,
  /** A session is saved this long after its last action. */
  saveAfter: SECOND,
  /** Latest save while actions follow each other. */
  saveWithin: 5 * SECOND,
  /**
   * After a save, the pause before the next is this many times the save's duration, so that large sessions
   * stay cheap.
   */
  savePauseFactor: 20,
  /** Save interval without actions, since pages change by themselves. */
  saveEvery: MINUTE,
  /** Minimum interval between two saves of IndexedDB, which is read whole. */
  databasesEvery: 30 * SECOND,
  /** Saved history entries of a tab, in each direction. */
  history: 50,
  /** Removed elements of which a stale index can still be described. */
  describedElements: 1_000,
  /** Restored per document: fields, characters of a value, scroll positions. */
  fields: 500,
  fieldLength: 100_000,
  scrolled: 20,
  /** Storage of one origin: characters of local and session storage, bytes of databases. */
  storageLength: 10 * MB,
  databaseBytes: 16 * MB,
  /** Origins left by navigation whose storage is saved too. */
  origins: 20,
  /** Deadline for a document that is opened only to reach the storage of its origin. */
  originPageWithin: 5 * SECOND,
  /** Deadline for fields that scripts create, before their values count as lost. */
  fieldsWithin: 2 * SECOND,
  /** JavaScript heap of all tabs of a session. Beyond it the session fails and keeps its last save. */
  maxHeap: 1_024 * MB,
  /** Maximum lifetime from the first start. */
  lifetime: 7 * DAY,
} as const;

export const logLimits = {
  /** Newest console messages that are kept. */
  messages: 500,
  /** Characters of one console message. */
  messageLength: 2_000,
  /** Newest requests that are kept; also the most requests tracked at once. */
  requests: 1_000,
  /** Characters of a URL, and of one header's value. */
  urlLength: 2_000,
  headerLength: 1_000,
  /** Default number of entries in one answer. */
  defaultEntries: 100,
  /** The network is idle after this long without a running request. */
  idleAfter: 500,
  /** A request that runs longer is treated as a long poll and not waited for. */
  longPollAfter: 10 * SECOND,
} as const;

export const downloadLimits = {
  /** Files of one session, and their total size. */
  maxFiles: 100,
  bytes: 1_024 * 1_024 * 1_024,
  /** Characters of a file name. */
  nameLength: 120,
  /** Older files of a room are removed when the room gets a new session. */
  keptFor: 7 * DAY,
  /** Read size while a file is served. */
  chunk: 256 * 1_024,
  /** Time in which a download that an action started is reported with the action. */
  startsWithin: 300,
  /** Maximum time of one wait for downloads. */
  within: MINUTE,
} as const;

export const extractLimits = {
  /** Characters of a page that a model reads. */
  modelCharacters: 60_000,
  /** Deadline of a model's answer. */
  modelWithin: 60 * SECOND,
  /** Characters of HTML that are read, including frames. */
  source: 10 * 1_024 * 1_024,
  /** Default maximum of Markdown characters. */
  characters: 100_000,
  links: 2_000,
  tables: 100,
  rows: 2_000,
  /** Characters of one table cell. */
  cell: 1_000,
} as const;

export const leftOutLimits = {
  /** Elements reported in `left_out`. */
  maxElements: 500,
  textLength: 80,
} as const;

/** Maximum size of a PDF. */
export const MAX_PDF_BYTES = 100 * 1_024 * 1_024;

export const loginLimits = {
  /** Fields of one login recipe. */
  fields: 20,
  /** Deadline for a field to appear. */
  fieldWithin: 10 * SECOND,
  /** The shorter deadline after other fields were filled: a missing field is then on the next page. */
  nextWithin: SECOND,
  /** Deadline from the last submit to the proof of success. */
  successWithin: 20 * SECOND,
  /** A page that shows the same fields again for this long has refused the login. */
  refusedFor: 3 * SECOND,
  /** Deadline of a whole login. It must not exceed that of an action. */
  within: 40 * SECOND,
  /** Characters of a page's error message that are returned. */
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

/** How long a new document is waited for until it shows something and has settled. */
export const readyLimits = {
  /** Default of the parameter `ready_within`, and its maximum, in seconds. */
  within: 10,
  longest: 15,
  /** A request that takes longer is not waited for; while a page is empty or shows a loading mark, all are. */
  patience: {
    /** Of a page with something to act on. */
    withControls: 2 * SECOND,
    withTextOnly: 4 * SECOND,
  },
  /** A document without pending requests has settled when nothing happened for this long. */
  quiet: {
    /** Of a page with something to act on that was waited for: scripts draw what they received. */
    drawing: 100,
    /** Of a page with scripts that shows text only. */
    withTextOnly: 250,
    /** Of an empty page with scripts, which may wait between requests. */
    whileEmpty: SECOND,
    /** Of a page that shows a loading mark: it works without requests, or the mark stays. */
    whileLoading: 2 * SECOND,
  },
  /** Changes of a complete page count for this long after its last request: an animation never ends. */
  drawsWithin: 500,
  /** A call that one document repeats more often is polling. */
  repeats: 2,
  /** Calls that are remembered as never ending. */
  endlessCalls: 100,
  every: 50,
  /** Pending requests that are named, and characters of an address. */
  named: 5,
  urlLength: 100,
} as const;

/** Snapshots that are taken before a caller requests them. Times in milliseconds. */
export const readAheadLimits = {
  /** After the last analysis or action. Idle pages cost nothing afterwards, and most turns of a model are shorter. */
  within: 5 * SECOND,
  first: 50,
  every: 200,
  /** Pause after a snapshot, as a multiple of its duration: at most a tenth of the page's time is spent. */
  share: 9,
  /** A page that does not answer within this is not read ahead, since a request would wait for the answer. */
  answerWithin: SECOND,
} as const;

export const sessionLimits = {
  /** Default window of a session, from the protocol specification. */
  viewport: { width: 1_920, height: 1_080 },
  /** Default frames per second of the video. */
  fps: 10,
  /** The pages of a session without a request, a follower or a viewer go to the background after this. */
  backgroundAfter: 5 * SECOND,
  /** Deadline for a page to go to the background or to come back. */
  visibilityWithin: SECOND,
  /** Wait for two frames of a page that comes back; a page may draw none. */
  drawnWithin: 100,
  /** Deadline from the start request to the first loaded document, including a browser launch. */
  startWithin: 60 * SECOND,
  /** Tabs of one session. Another one is closed as it opens. */
  tabs: 20,
  /** Deadline for a page to load; a page that takes longer is used as it is. */
  loadWithin: 15 * SECOND,
  /** Deadline for the browser's own error page. */
  errorPageWithin: 5 * SECOND,
  /** Deadline for an element to become visible, stable, uncovered and enabled. */
  actionableWithin: 5 * SECOND,
  /** Maximum wait for an element that is named without an index, such as one of a page that is still arriving. */
  locateWithin: 3 * SECOND,
  /** The action fails earlier when nothing changed on the page for this long. */
  unchangedAfter: 1_500,
  /** Poll interval of these checks. */
  actionableEvery: 50,
  /** Pause after a click until it is reported to maps, with those that follow. */
  clickReportsEvery: 500,
  /** Milliseconds for which the list of maps is kept for these reports. */
  clickMapsKept: 10_000,
  /** Deadline for what appears under a resting pointer. */
  hoverWithin: 400,
  /** Most key presses that move one slider. */
  sliderKeys: 1_000,
  /** Deadline for elements that a click fades or slides in. */
  fadeInWithin: 800,
  /** Wait for a request that a click started, while nothing has changed yet. */
  requestWithin: SECOND,
  /** Poll interval for the state of a session, in case its owner dies without a message. */
  pollStateEvery: 250,
  /** Deadline from the first input event of an action to the last. The lease must outlast it. */
  dispatchWithin: 2 * SECOND,
  /** A window that opens within this time is reported with the action. */
  windowsWithin: SECOND,
  /** Deadline for the renewal of the lease before an action. */
  leaseWithin: 5 * SECOND,
  /** Deadline for an answer of a page; beyond it the page hangs. */
  answerWithin: 10 * SECOND,
  /** Deadline of a whole action, except waits. */
  actionWithin: 45 * SECOND,
  /** Most seconds of one wait. */
  longestWait: 60,
  /** Heights of the view that one action scrolls. */
  scrollPages: 50,
  /** Most pixels of one scroll. */
  scrollAmount: 100_000,
  /** Poll interval of waits. */
  pollEvery: 100,
  /** Actions that may wait for others; one more is refused. */
  waiting: 100,
  /** Outcomes kept for repeated requests. */
  outcomes: 20,
  /** Characters of an outcome's data that are kept. */
  outcomeLength: 8_000,
  /** Steps of one recording; later actions are not recorded. */
  recordedSteps: 500,
  /** Recordings in one list. */
  recordings: 1_000,
  /** Characters of the page changes in an outcome. */
  changeLength: 3_000,
  /** Pages with more elements get no context for duplicate names, which would take more tokens than it saves. */
  duplicateNamesUpTo: 100,
  /** Pages with more elements are not compared after an action, since that takes longer than the action. */
  changeElements: 1_000,
  /** Results with more characters are stored and announced to subscribers. */
  largeResult: 64 * 1_024,
  /** Characters of page text in a summary. */
  summary: 8_000,
  /** Milliseconds between two keys of slow typing, and their maximum. */
  keyDelay: 60,
  longestKeyDelay: 1_000,
  /** Deadline for typing one text. */
  typingWithin: 30 * SECOND,
  /** Time for the drop animation of sortable lists. */
  dropSettles: 350,
  /** Deadline for a form to navigate after a submit. */
  submitStarts: SECOND,
  /** Time in which a script marks invalid fields after a submit. */
  submitSettles: 300,
  /** Fields of one form. */
  formFields: 200,
  /** Deadline for a button to open a file chooser. */
  chooserWithin: SECOND,
  /** Files of one upload, and their total size. */
  uploadFiles: 20,
  uploadBytes: 32 * 1_024 * 1_024,
  /** Characters of a file's content in a call. */
  uploadContent: 900_000,
  /** Deadline for a listbox to open and fill. */
  listWithin: 5 * SECOND,
  /** A listbox is complete after this long without new options; a search waits longer. */
  listQuiet: 300,
  listSearchQuiet: SECOND,
  /** Deadline for scrolling through a virtualised listbox. */
  listWalk: 15 * SECOND,
  /** Options returned of one listbox. */
  listOptions: 2_000,
  /** Deadline for a calendar to open after a click on its field or button. */
  calendarWithin: SECOND,
  /** A calendar without a loading mark is complete after this long without changes. */
  calendarQuiet: 300,
  /** A field that is still empty this long after a day was chosen waits for confirmation. */
  dateTakenWithin: 400,
  /** A calendar closes by itself within this time after a day was chosen; otherwise it is closed. */
  calendarClosesWithin: 300,
  /** Deadline for turning a calendar to a month. */
  datesWithin: 30 * SECOND,
  /** Deadline for a media player to react. */
  mediaWithin: 3 * SECOND,
  /** Deadline for a consent banner to appear after the page. */
  consentComes: 2 * SECOND,
  /** Deadline for a consent banner to disappear after the answer. */
  consentGone: 3 * SECOND,
  /** Characters of the result of a caller's script. */
  evaluateLength: 100_000,
  /** Pixels of the longest side of a screenshot. */
  screenshotSide: 16_384,
  /** Observation of pages while a room has subscribers. */
  watching: {
    /** A change is reported after this long without further ones. */
    quiet: 100,
    /** A document that never rests is reported at this interval. */
    most: SECOND,
    /** Minimum interval between two content snapshots. */
    contentEvery: 500,
    /** Pause after a content snapshot, as a multiple of its duration. */
    contentShare: 5,
  },
} as const;

/** The live view of a session for a person. */
export const liveViewLimits = {
  /** Control is free again after this time without a sign of life. The gateway renews it more often. */
  controlSilence: 4 * SECOND,
  renewControlEvery: 1_500,
  /** A request for a frame waits this long for one that is newer. */
  frameWithin: 5 * SECOND,
  /** Meanwhile it checks this often whether another tab is shown. */
  checkTabEvery: 500,
  /** No frames are made after this time without a request for one. */
  unwatchedAfter: 8 * SECOND,
  /** Defaults of a viewer: frames a second, size in pixels, quality of the JPEG. */
  fps: 10,
  maxFps: 30,
  width: 1_280,
  height: 720,
  quality: 60,
  /** Input events of one message. */
  events: 100,
  /** Characters of a pasted text. */
  pasteLength: 100_000,
} as const;
