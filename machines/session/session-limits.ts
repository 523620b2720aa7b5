/**
 * Limits of a browser session: lifecycle, actions, logs, downloads, extraction, sign-in. Values are in
 * milliseconds or bytes unless a name says otherwise.
 */
import { DAY, MB, MINUTE, SECOND } from "../time-and-size-units.ts";

export const lifecycleLimits = {
  /** Default maximum number of live sessions on a node. */
  liveSessions: 16,
  /**
   * A session hibernates after this time without a query or an action: its state is saved, and its browser is
   * closed.
   */
  idle: 5 * MINUTE,
  /** The actor of a hibernated session is unloaded from memory after this time. */
  residentAfterHibernate: 5 * SECOND,
  /**
   * Interval at which the hibernation of a session is tried again while it has something open, such as a
   * download.
   */
  retryHibernateEvery: 15 * SECOND,
  /** A restored session is not hibernated again within this time, so that its caller has time to use it. */
  keptAfterRestore: 2 * SECOND,
  /**
   * Interval at which a session checks whether it can start a browser, while the node has its maximum number of
   * browsers.
   */
  pollSlotEvery: 250,
  /**
   * Assumed memory of one live session, from which the default number of sessions is computed. An idle browser
   * context takes only about 15 MB, but the loaded page of a large application takes much more.
   */
  assumedMemory: 192 * MB,
  /** Maximum share (0 to 1) of the machine's memory for live sessions. */
  memoryShare: 1 / 4,
  /**
   * Maximum number of live sessions per processor core. Most sessions need no processor time, because they
   * wait for their callers.
   */
  perCore: 8,
  /** A session is saved after this time without another action. */
  saveAfter: SECOND,
  /** Maximum time between two saves of a session that is used without a pause. */
  saveWithin: 5 * SECOND,
  /**
   * Factor for the pause after a save: the pause lasts this factor times the duration of the save. Sessions
   * that take long to save are thus saved less often.
   */
  savePauseFactor: 20,
  /** Interval at which a session is saved without an action, because pages also change by themselves. */
  saveEvery: MINUTE,
  /**
   * Minimum interval between two saves of a session's IndexedDB databases, because each save reads them
   * completely.
   */
  databasesEvery: 30 * SECOND,
  /** Maximum number of history entries of a tab that are saved, in each direction. */
  history: 50,
  /** Maximum number of removed elements that are remembered, so that a stale index can still be described. */
  describedElements: 1_000,
  /** Maximum number of form fields of a restored document. */
  fields: 500,
  /** Maximum length in characters of a field's value in a restored document. */
  fieldLength: 100_000,
  /** Maximum number of elements of a restored document whose scroll position is restored. */
  scrolled: 20,
  /**
   * Maximum size in characters of the local storage of one origin, and of its session storage. A larger one is
   * not saved.
   */
  storageLength: 10 * MB,
  /** Maximum size of the saved databases of one origin, in bytes. */
  databaseBytes: 16 * MB,
  /** Maximum number of origins whose storage is saved although the session has left them. */
  origins: 20,
  /** Time limit for a document that is opened only to reach the storage of its origin. */
  originPageWithin: 5 * SECOND,
  /**
   * Time limit for the scripts of a restored page to create its form fields. After it, the saved values of
   * fields that are still missing are dropped.
   */
  fieldsWithin: 2 * SECOND,
  /**
   * Maximum size of the JavaScript heap of all tabs of a session. Above this size the session fails; its last
   * save is kept.
   */
  maxHeap: 1_024 * MB,
  /** Maximum lifetime of a session, counted from its first start. */
  lifetime: 7 * DAY,
} as const;

export const logLimits = {
  /** Maximum number of console messages that are kept. The oldest messages are dropped. */
  messages: 500,
  /** Maximum length of one console message in characters. */
  messageLength: 2_000,
  /**
   * Maximum number of finished requests in the network log, and of running requests that are tracked. The
   * oldest are dropped.
   */
  requests: 1_000,
  /** Maximum length of a URL in characters. */
  urlLength: 2_000,
  /** Maximum length of a header's value in characters. */
  headerLength: 1_000,
  /** Default number of console messages or network requests in one answer. */
  defaultEntries: 100,
  /** The network counts as idle after this time without a running request. */
  idleAfter: 500,
  /**
   * A running request counts as a long poll after this time. The wait for an idle network then ignores the
   * request.
   */
  longPollAfter: 10 * SECOND,
} as const;

export const downloadLimits = {
  /** Maximum number of files of one session. */
  maxFiles: 100,
  /** Maximum total size in bytes of the files of one session. */
  bytes: 1_024 * 1_024 * 1_024,
  /** Maximum length of a file name in characters. */
  nameLength: 120,
  /**
   * When a new session starts under a room name, files of earlier sessions that are older than this are
   * removed.
   */
  keptFor: 7 * DAY,
  /** Number of bytes of a file that are read and sent at once. */
  chunk: 256 * 1_024,
  /** The outcome of an action reports a download if it starts within this time after the action. */
  startsWithin: 300,
  /** Maximum duration of one wait for downloads. */
  within: MINUTE,
} as const;

export const extractLimits = {
  /** Maximum characters of a page that a model reads for an extraction. */
  modelCharacters: 60_000,
  /** Time limit for a model's answer to an extraction. */
  modelWithin: 60 * SECOND,
  /** Maximum characters of HTML that an extraction reads, including frames. */
  source: 10 * 1_024 * 1_024,
  /** Default maximum number of Markdown characters in the answer of an extraction. */
  characters: 100_000,
  links: 2_000,
  tables: 100,
  rows: 2_000,
  /** Maximum characters of one table cell in an extraction. */
  cell: 1_000,
} as const;

export const leftOutLimits = {
  /** Maximum number of elements in `left_out`, the list of elements that a snapshot leaves out. */
  maxElements: 500,
  textLength: 80,
} as const;

export const MAX_PDF_BYTES = 100 * 1_024 * 1_024;

export const loginLimits = {
  /** Maximum number of fields in one login recipe. */
  fields: 20,
  /** Time limit for a login field to appear. */
  fieldWithin: 10 * SECOND,
  /**
   * After a login field was filled in, the next field must appear within this time. Otherwise, the filled
   * fields are submitted, because the next field may be on another page.
   */
  nextWithin: SECOND,
  /** Time limit between the last submit of a login and the proof that the login was successful. */
  successWithin: 20 * SECOND,
  /** Time limit for the script of a sign-in page to become ready to send the form. */
  scriptReadyWithin: 15 * SECOND,
  /**
   * If the page shows the login fields again and still shows them after this time, the login counts as
   * refused.
   */
  refusedFor: 3 * SECOND,
  /** Time limit of a complete login. It must not exceed the time limit of an action. */
  within: 40 * SECOND,
  /** Maximum length, in characters, of the page's error message in a result. */
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
  /** Maximum number of databases of one origin in the storage state with which a session starts. */
  databases: 100,
} as const;

/** Limits of the wait until a new document shows something and has settled (no longer loads or changes). */
export const readyLimits = {
  /** Default of the parameter `ready_within`, in seconds. */
  within: 10,
  /** Maximum of the parameter `ready_within`, in seconds. */
  longest: 15,
  /**
   * Cairn does not wait for a request that takes longer than this time. But while a page is empty or shows a
   * loading indicator, Cairn waits for all requests.
   */
  patience: {
    /** Maximum wait for a single request of a page that already shows controls. */
    withControls: 2 * SECOND,
    withTextOnly: 4 * SECOND,
  },
  /**
   * Times without activity after which a page without pending requests counts as settled. They depend on what
   * the page shows.
   */
  quiet: {
    /**
     * Time without activity, after the last request, until a page with controls has settled. The page's scripts
     * may still be drawing the received data.
     */
    drawing: 100,
    /**
     * Time without activity after which a page with scripts counts as settled, if the page shows text and no
     * controls.
     */
    withTextOnly: 250,
    /**
     * Time without activity after which an empty page with scripts counts as settled. The time is long,
     * because the scripts of such a page may pause between requests.
     */
    whileEmpty: SECOND,
    /**
     * Time without activity after which a page with a loading indicator counts as settled. The time is long,
     * because the page may be working without requests. It is limited, because the indicator may never
     * disappear.
     */
    whileLoading: 2 * SECOND,
  },
  /**
   * Time after the last request in which changes of a loaded document still count as activity. Later changes
   * may come from an animation that never ends.
   */
  drawsWithin: 500,
  /**
   * Maximum number of times that a request is sent before it counts as polling. Cairn does not wait for the
   * answers to polling.
   */
  repeats: 2,
  /** Maximum number of ignored requests of a page (repeated or never answered) that are remembered. */
  endlessCalls: 100,
  every: 50,
  /** Maximum number of pending requests that an answer lists. */
  named: 5,
  /** Maximum length in characters of the address of a pending request that an answer lists. */
  urlLength: 100,
} as const;

/** Limits, in milliseconds, for snapshots that are taken before a caller requests them. */
export const readAheadLimits = {
  /**
   * Time after the last analysis or action in which snapshots are taken in advance. A model usually acts
   * within this time; later, an idle page costs nothing.
   */
  within: 5 * SECOND,
  first: 50,
  every: 200,
  /**
   * Pause after a snapshot, as a multiple of the snapshot's duration. With 9, snapshots take at most a tenth
   * of the page's time.
   */
  share: 9,
  /**
   * Snapshots are taken in advance only of pages that answer within this time. On a slower page, they would
   * delay the caller's own requests.
   */
  answerWithin: SECOND,
} as const;

export const sessionLimits = {
  /** Default viewport of a session, from the protocol specification. */
  viewport: { width: 1_920, height: 1_080 },
  /** Default frame rate of the video, in frames per second. */
  fps: 10,
  /**
   * The pages of a session go to the background after this time without a request, a subscriber or a viewer.
   */
  backgroundAfter: 5 * SECOND,
  /** Time limit for moving a page to the background or back. */
  visibilityWithin: SECOND,
  /**
   * Maximum wait until a page that returns from the background has drawn two frames. Some pages draw none.
   */
  drawnWithin: 100,
  /** Time limit from the start request to the first loaded document, including the launch of a browser. */
  startWithin: 60 * SECOND,
  /** Maximum number of tabs of one session. A further tab is closed as it opens. */
  tabs: 20,
  /** Time limit for a page to load. Then the page is used in its current state. */
  loadWithin: 15 * SECOND,
  /** Time limit for the browser to show its own error page. */
  errorPageWithin: 5 * SECOND,
  /** Time limit for an element to become visible, stable, uncovered and enabled. */
  actionableWithin: 5 * SECOND,
  /**
   * Maximum wait for an element that an action describes without an index. The page may still be loading the
   * element.
   */
  locateWithin: 3 * SECOND,
  /**
   * Maximum wait for an element that the page hides and a control shows, such as an entry of a closed menu. The wait
   * is needed while the page changes, because the menu may be opening. Transitions of common libraries take up to 0.5
   * seconds.
   */
  hiddenAfter: 1_000,
  /**
   * If the page does not change for this time, the wait for a hidden element, such as an entry of a closed menu, ends
   * earlier than `hiddenAfter`. Menus of libraries such as Element Plus and Vuetify open up to 0.3 seconds after the
   * pointer has reached them. The action that moves the pointer has already waited for 0.15 seconds.
   */
  hiddenUnchangedAfter: 300,
  /** Maximum wait for a control that a page has removed and may be drawing again. */
  redrawnWithin: 500,
  /** Time without changes of the page after which the wait for an element ends early. */
  unchangedAfter: 1_500,
  /**
   * Time without changes of a dialog after which it counts as open, so that the wait for an element below it ends.
   * It is longer than the pauses between the steps by which scripts fade a dialog in or out.
   */
  dialogUnchangedAfter: 300,
  /** Interval at which Cairn checks whether an element is ready for an action. */
  actionableEvery: 50,
  /**
   * Delay before a click is reported to the maps of the site, so that several clicks are reported together.
   */
  clickReportsEvery: 500,
  /** Time for which the list of maps that receive reports of clicks is cached. */
  clickMapsKept: 10_000,
  /**
   * Maximum time between the press and the release of a click that ends the typing in a field. The click of a
   * person takes about as long. Some pages process a field's text only after the field has lost the focus; they need
   * this time to finish before the click takes effect.
   */
  pressAfterTyping: 100,
  /** Maximum wait for what opens while the pointer is over an element, such as a menu. */
  hoverWithin: 400,
  /** Maximum number of key presses that move one slider. */
  sliderKeys: 1_000,
  /** Time limit for elements that appear with an animation after a click. */
  fadeInWithin: 800,
  /**
   * An action waits at most this long for the end of a response that has begun, and for the response of another site.
   * The outcome of the action names the requests that are still pending.
   */
  requestWithin: 3 * SECOND,
  /**
   * Maximum wait for all responses to requests that an action has started. It is as long as the wait for a document. A
   * request of the page's own site that takes longer counts as a long poll.
   */
  responsesWithin: 10 * SECOND,
  /**
   * Maximum delay of a timer for which an action waits, because the timer may send a request. Applications delay a
   * search by 0.2 to 1 second after the last key press (lodash `debounce`, RxJS `debounceTime`).
   */
  timerWithin: SECOND,
  /** Time in which a page reacts to a timer that fires: it runs its code, and sends its request. */
  timerReacts: 60,
  /** Interval at which the wait for a timer checks whether the page has sent a request. */
  timerEvery: 10,
  /** Number of times that an action waits for timers, because a timer or its response may set another one. */
  timerWaits: 2,
  /**
   * Number of times that a timer may fire without a request of the page. After that, actions no longer wait
   * for this timer.
   */
  timerMisses: 2,
  /** Maximum wait for a page that has not visibly reacted to a click yet. Some pages react after a timer. */
  reactsWithin: 150,
  /**
   * Interval at which Cairn checks whether a page that has not reacted to a click may still react. The page
   * may be waiting for the clipboard, a database or a download, without a timer or a request. The interval is
   * longer than the browser usually takes for these.
   */
  reactionEvery: 40,
  /**
   * Interval at which the state of a session is polled, because the node that runs it may end without a
   * message.
   */
  pollStateEvery: 250,
  /**
   * Time limit from the first input event of an action to the last. The node's lease of the session must be
   * valid for longer.
   */
  dispatchWithin: 2 * SECOND,
  /** Time after an action within which a new window must open to be reported in the action's outcome. */
  windowsWithin: SECOND,
  /** Time limit for renewing the node's lease of a session, before an action starts. */
  leaseWithin: 5 * SECOND,
  /** Maximum time in which a page must answer Cairn's script. A page that takes longer counts as hanging. */
  answerWithin: 10 * SECOND,
  /**
   * Maximum time that a caller waits for the outcome of an action. The longest wait that an action may request
   * (`longestWait`) is added to it.
   */
  actionWithin: 45 * SECOND,
  /** Maximum duration of one wait that an action may request, in seconds. */
  longestWait: 60,
  /** Maximum distance of one scroll action, in viewport heights. */
  scrollPages: 50,
  /** Maximum distance of one scroll action in pixels. */
  scrollAmount: 100_000,
  /** Interval at which Cairn checks the condition for which an action waits, such as a text on the page. */
  pollEvery: 100,
  /** Maximum number of actions that wait for earlier actions of the session. A further action is refused. */
  waiting: 100,
  /** Number of action outcomes that are kept for repeated requests. */
  outcomes: 20,
  /** Maximum characters of the data in a kept action outcome. */
  outcomeLength: 8_000,
  /** Maximum number of steps of one recording. Later actions are not recorded. */
  recordedSteps: 500,
  /** Maximum number of recordings in one list for a caller. */
  recordings: 1_000,
  /** Maximum characters of the page changes that an action's outcome reports. */
  changeLength: 3_000,
  /**
   * If a page has at most this number of elements, elements with duplicate names get words of their surroundings. On
   * larger pages, these words cost more tokens than they save.
   */
  duplicateNamesUpTo: 100,
  /**
   * A page with more elements than this is not compared with its earlier state after an action. The comparison
   * would take longer than the action.
   */
  changeElements: 1_000,
  /**
   * Maximum number of characters of a query's result that is only returned. A larger result is also stored if the
   * session's events have subscribers, and the event `result_ready` contains its id.
   */
  largeResult: 64 * 1_024,
  /** Maximum characters of page text in the summary by which a screen is recognised. */
  summary: 8_000,
  /** Default pause between two keys of slow typing, in milliseconds. */
  keyDelay: 60,
  /** Maximum pause between two keys of slow typing, in milliseconds. */
  longestKeyDelay: 1_000,
  /** Time limit for typing one text. */
  typingWithin: 30 * SECOND,
  /** Wait after an element was dropped, for the animation of sortable lists. */
  dropSettles: 350,
  /** Time limit for a form to start a navigation after it was submitted. */
  submitStarts: SECOND,
  /**
   * Time limit for the script of a page to become ready to handle a form with a password. Applications that
   * render their sign-in page on the server add their event listeners up to some seconds after the load.
   */
  scriptReadyWithin: 10 * SECOND,
  /**
   * Pause before a form with a password is sent again, because the page's script was not ready. It doubles
   * with each further attempt.
   */
  resendAfter: 250,
  /** Time after a form was submitted, in which the page's script may mark invalid fields. */
  submitSettles: 300,
  /** Time limit for the page to close a dialog whose button was pressed, or to show a message in it. */
  dialogCloses: 1_500,
  /** Time limit for the server to answer the request of a button that sends fields without a form. */
  submitAnswered: 10 * SECOND,
  /** Maximum number of fields that one action fills in a form. */
  formFields: 200,
  /** Time limit for a button to open a file chooser. */
  chooserWithin: SECOND,
  /** Maximum number of files in one upload. */
  uploadFiles: 20,
  /** Maximum total size in bytes of the files in one upload. */
  uploadBytes: 32 * 1_024 * 1_024,
  /** Maximum characters of a file's content in a request. */
  uploadContent: 900_000,
  /** Time limit for a listbox to open and to get its options. */
  listWithin: 5 * SECOND,
  /** A listbox counts as complete after this time without new options. A search in a listbox waits longer. */
  listQuiet: 300,
  listSearchQuiet: SECOND,
  /** Time limit for scrolling through a virtualised listbox. */
  listWalk: 15 * SECOND,
  /** Maximum number of options returned from one listbox. */
  listOptions: 2_000,
  /** Time limit for a calendar to open after a click on its field or button. */
  calendarWithin: SECOND,
  /** Time without changes after which a calendar counts as complete, if it shows no loading indicator. */
  calendarQuiet: 300,
  /**
   * After the choice of a day, the date field must change within this time in milliseconds. Otherwise, Cairn
   * presses the calendar's button that confirms the choice.
   */
  dateTakenWithin: 400,
  /**
   * A calendar usually closes by itself within this time after the choice of a day. After it, Cairn closes the
   * calendar.
   */
  calendarClosesWithin: 300,
  /** Time limit for showing the wanted month in a calendar. */
  datesWithin: 30 * SECOND,
  /** Time limit for a media player to react to an action, such as "play". */
  mediaWithin: 3 * SECOND,
  /** Time limit for a consent banner to appear after its page has appeared. */
  consentComes: 2 * SECOND,
  /** Time limit for a consent banner to disappear after it was answered. */
  consentGone: 3 * SECOND,
  /** Maximum characters in the result of a caller's script. */
  evaluateLength: 100_000,
  /** Maximum length of a screenshot's longer side in pixels. */
  screenshotSide: 16_384,
  /** Limits for reports of page changes. Reports are made only while a session has subscribers. */
  watching: {
    /** A change of a document is reported when the document does not change again within this time. */
    quiet: 100,
    /** Interval of reports about a document that never stops changing. */
    most: SECOND,
    /** Minimum interval between two snapshots of a page for the event `screen_content_update`. */
    contentEvery: 500,
    /** Pause after a snapshot of the page's content, as a multiple of the snapshot's duration. */
    contentShare: 5,
  },
} as const;

/** Limits of the live view, in which a person watches and controls a session. */
export const liveViewLimits = {
  /**
   * A person loses control of the browser after this time without a renewal. The gateway renews the control
   * more often.
   */
  controlSilence: 4 * SECOND,
  renewControlEvery: 1_500,
  /** Time limit of a request for a frame that is newer than the client's frame. */
  frameWithin: 5 * SECOND,
  /** Interval at which a request for a frame checks whether the session now shows another tab. */
  checkTabEvery: 500,
  /**
   * Time without a new frame after which a page has settled. Its final state is then requested as one more
   * frame.
   */
  settledAfter: 150,
  /**
   * The screencast of a page is stopped if the next request for a frame is expected only after this time. A
   * running screencast copies up to 60 frames a second, even if no viewer requests them. Stopping and
   * starting it costs about as much as one frame.
   */
  stopCastFor: 40,
  /** The session produces no more frames after this time without a request for a frame. */
  unwatchedAfter: 8 * SECOND,
  /**
   * Default values of a viewer (`fps`, `width`, `height` in pixels, and the JPEG quality from 1 to 100), and the
   * maximum frame rate (`maxFps`) that a viewer may request.
   */
  fps: 10,
  maxFps: 30,
  width: 1_280,
  height: 720,
  quality: 60,
  /** Maximum number of input events in one message. */
  events: 100,
  /** Maximum characters of a pasted text. */
  pasteLength: 100_000,
} as const;
