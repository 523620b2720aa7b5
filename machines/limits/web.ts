/**
 * Numbers of what reaches the web: reading over HTTP, egress, the care of hosts, the browser.
 * Durations are milliseconds, sizes bytes, unless the name says otherwise. Neighbour: `../limits.ts` joins them.
 */
import { DAY, MINUTE, SECOND } from "./units.ts";

export const web = {
  reading: {
    /** Longer URLs, in characters, are not followed: no real page needs them, and crawler traps grow them. */
    urlLength: 2_048,
    /** Redirects followed from one URL. */
    redirects: 10,
    /** Of a body after decompression; a longer one is no page that a person reads. */
    pageBytes: 10 * 1_024 * 1_024,
    /** Documents of more characters than this are read in a thread of their own … */
    apart: {
      from: 512 * 1_024,
      /** … each in this time at the most, */
      patience: 30 * SECOND,
      /** … which ends when none came for so long. */
      idle: 5 * SECOND,
      /** Milliseconds for which others that came meanwhile wait for its end. */
      alone: 500,
    },
    /** Characters of a page's content that are kept. */
    contentLength: 1_024 * 1_024,
    /** What a page tells machines about itself (JSON-LD, microdata, cards), of each page … */
    structured: {
      /** … characters of scripts that are parsed at all, */
      source: 256 * 1_024,
      /** characters that are kept, names and values together, */
      length: 16 * 1_024,
      /** characters of one value and of one name, */
      text: 1_000,
      name: 100,
      /** entries of one list, one record or one kind of card, */
      entries: 50,
      /** levels of one value, */
      depth: 8,
      /** and properties of microdata. */
      properties: 500,
    },
    /** Images with a description, and tables, that are listed of one page. */
    images: 50,
    tables: 50,
    /** From the request to the headers of the answer, for each hop. */
    answerWithin: 15 * SECOND,
    /** From the first request to the last byte of the body, redirects included. */
    pageWithin: 60 * SECOND,
    /** Requests under way at one host, of all workers together and at the most; see `host`. */
    perHost: 16,
    /** A longer crawl-delay in a robots.txt is cut to this, so that a typing error does not stop a job for days. */
    crawlDelay: MINUTE,
    /** A longer Retry-After is cut to this; the job's own backoff takes over from there. */
    retryAfter: 10 * MINUTE,
    /** First pause of a host that is overloaded and does not say for how long; doubles, up to `longestPause`. */
    firstPause: SECOND,
    longestPause: MINUTE,
    /** Bytes of a sitemap or feed, unpacked, and pages that are taken from one: what sitemaps.org allows. */
    listingBytes: 50 * 1_024 * 1_024,
    listedPages: 50_000,
    /** Bytes of a robots.txt that are read, as RFC 9309 asks at the least. */
    robotsBytes: 500 * 1_024,
    robotsRedirects: 5,
    /** How long a robots.txt is believed … */
    robotsFor: DAY,
    /** … and how long that it could not be had, before it is asked for again. */
    robotsRetry: 5 * SECOND,
    /** Origins whose robots.txt, and hosts whose queue, are remembered; the longest unused go first. */
    hosts: 1_000,
  },
  egress: {
    /** How long the addresses of a name are believed: one look-up serves a burst of requests … */
    namesFor: 30 * SECOND,
    /** … and of how many origins; the longest known go first. */
    origins: 1_000,
    /** How long the proxy tries one address of a host before it takes the next. */
    connectWithin: 10 * SECOND,
    /** A connection through the proxy without a byte in either direction for so long is closed. */
    idle: 10 * MINUTE,
    /** How long the proxy keeps a connection that a browser may use again. */
    keepAlive: MINUTE,
    /** Bytes of the headers of one message through the proxy, as Chromium allows. */
    headerBytes: 256 * 1_024,
    /** Hosts of which the proxy remembers why the last connection failed. */
    troubles: 1_000,
  },
  host: {
    /** Requests at once at a host of which nothing is known; it grows to `reading.perHost`. */
    begin: 4,
    /** A worker that reads a host says so this often … */
    renewEvery: 500,
    /** … and counts as gone when it has not for so long. */
    leaseFor: 2 * SECOND,
    /** How often a worker may ask for more than it has. */
    growEvery: 50,
    /** Pause before a host's manager that did not answer is asked again. */
    askAgain: 250,
    /** How long a worker may wait for the answer of a host's manager. */
    answerWithin: 5 * SECOND,
    /** A turn at a host with a crawl-delay that nobody gave back counts as lost after this: longer than any page. */
    turnFor: 90 * SECOND,
    /** Mean milliseconds of answers from which a host may count as overloaded … */
    slow: SECOND,
    /** … when that is so many times what it takes at ease … */
    slowFactor: 3,
    /** … over at least so many answers. */
    slowSamples: 4,
    /** How much of the way to a slower mean the idea of ease goes with each report. */
    easeFollows: 1 / 20,
  },
  browser: {
    /** Pages that one worker renders at once: more of them only share the same cores. */
    pages: 4,
    /** Renders that wait for a page; one more is `browser.busy`. */
    queued: 256,
    /** Renders after which a page is replaced, so that nothing a site leaves in it grows for ever. */
    rendersPerPage: 200,
    /** A page that is to be used again answers in this time, or is replaced. */
    respondsWithin: SECOND,
    /** A page that nobody needed for this long is emptied, so that what was shown in it stops working. */
    parkAfter: SECOND,
    /** A browser without work is closed after this. */
    idle: 2 * MINUTE,
    /** From the start of Chromium's process to its first answer; the same for a new page. */
    launchWithin: 20 * SECOND,
    /** For the one request that tells a context the credentials of its proxy. */
    loginWithin: 5 * SECOND,
    /** Pages that ask for a session's proxy at the same time are all answered in this time. */
    loginLingers: SECOND,
    /** How long Chromium may take to close by itself before it is killed. */
    closeWithin: 3 * SECOND,
    /** Pause before Chromium is started again after a crash or a failed start; doubles, up to `maxBackoff` … */
    backoff: 250,
    maxBackoff: 30 * SECOND,
    /** … and begins anew when it has lived this long. */
    steadyAfter: MINUTE,
    /** From the request to the finished page, everything included. */
    renderWithin: 45 * SECOND,
    /** From the first byte of the document until it is taken as it is, settled or not. */
    settleWithin: 10 * SECOND,
    /** No change of the document for this long, and nothing that it asked for under way: it has settled. */
    quiet: 100,
    /** The same for a document that shows neither a text nor a link yet, or that says that it is loading. */
    emptyQuiet: SECOND,
    /** A script or a call of a page that takes longer is not waited for: it may be held open for news. */
    requestPatience: 4 * SECOND,
    /** An answer to what a page says over a WebSocket; much of that is never answered. */
    socketPatience: SECOND,
    /** The same call made more often than this on one page is polling, and not waited for. */
    repeats: 2,
    /** A text that changes more often than this is a clock or an animation: it keeps nothing from settling. */
    textChanges: 8,
    /** Documents that one render may pass through when scripts send it on; the last is taken. */
    documents: 5,
    /** Documents in frames, of the same origin, that come with a page. */
    frames: 20,
    /** Windows of which it is remembered whose they were, the newest. */
    windows: 1_000,
    /** Calls of a job's pages that are remembered as never ending. */
    endlessCalls: 100,
    /** Size of the window in CSS pixels: a common laptop's. Taller ones cost CPU with every page. */
    width: 1_280,
    height: 800,
    /** `chromium --version` answers in this time, or the file is not a Chromium that runs here. */
    versionWithin: 10 * SECOND,
    /** Bounds of the two ways to install one. A package manager must not be cut off in its work, so its is long. */
    aptWithin: 10 * MINUTE,
    downloadWithin: MINUTE,
    /** Pause after an installation that failed, before the next need of a browser tries again. */
    installAgainAfter: 10 * MINUTE,
  },
  session: {
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
  },
} as const;
