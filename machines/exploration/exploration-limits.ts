/** Limits of an exploration. Values are in milliseconds or bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../time-and-size-units.ts";

export const explorationLimits = {
  /**
   * Limits of the pressing phase, in which an interactive exploration presses controls such as tabs and
   * buttons.
   */
  pressing: {
    /**
     * Default number of presses (`actions`) and of seconds (`seconds`) of one exploration, and the maximum of each
     * that a request may set (`mostActions`, `mostSeconds`).
     */
    actions: 300,
    seconds: 300,
    mostActions: 20_000,
    mostSeconds: 24 * 3_600,
    viewport: { width: 1_280, height: 900 },
    /**
     * Maximum number of presses (clicks) one after another on the same page. It is enough for a wizard with
     * six steps.
     */
    depth: 6,
    /**
     * All controls of a state are pressed only if at most this number of presses (clicks) leads from the page
     * to the state. In a more distant state, controls that were already pressed in another state are skipped.
     */
    wideDepth: 3,
    /** Maximum number of elements of one state of a page that are considered for pressing. */
    candidates: 200,
    /**
     * A control whose presses have different results is pressed again in further states. After this number of
     * presses, it is pressed again only if its last press led to a new kind of state.
     */
    triesOfControl: 8,
    /**
     * Maximum number of controls that are pressed in a group of similar ones, even if each press leads to a
     * different state.
     */
    triesOfGroup: 12,
    /**
     * Similar controls of a state form a group, such as the entries of a menu that a click has opened. No more
     * controls of a group are clicked after this number of clicks in a row that led to no new kind of state.
     */
    missesInOpened: 3,
    /**
     * Two presses (clicks) have led to the same kind of state if at least this share (0 to 1) of the content
     * that they added is equal.
     */
    sameEffect: 0.62,
    /**
     * Maximum number of similar pages whose controls are pressed. It limits only pages that were found by
     * pressing controls.
     */
    pagesOfKind: 12,
    /** Maximum number of states of one page whose controls are pressed. */
    states: 60,
    /**
     * Number of presses (clicks) in a row without a new state, after which no further control of a state is
     * pressed.
     */
    fruitless: 25,
    /**
     * Maximum wait for a page to become idle after a control was pressed (clicked). After that, the exploration
     * continues with the page as it is.
     */
    settleWithin: 3 * SECOND,
    settleEvery: 60,
    /**
     * Pause after a press (click) that has changed nothing at once. After it, the page is compared with its
     * state before the press. Scripts that react to a press later than this are rare.
     */
    reactsWithin: 120,
    /** Maximum wait until a newly opened page starts to load its data. */
    arrivesWithin: 400,
    /**
     * If this number of opened pages in a row has not changed within `arrivesWithin`, Cairn waits only
     * `arrivesPrompt` for further pages. Pages of one site usually load their data in the same way.
     */
    promptPages: 3,
    arrivesPrompt: 60,
    /**
     * Maximum number of layers that are closed on an opened page, such as a welcome dialog, and then a guided
     * tour.
     */
    layers: 3,
    /**
     * Maximum wait until a layer without a closing control disappears. Large applications show such a layer
     * while they start.
     */
    uncoversWithin: 6 * SECOND,
    uncoversEvery: 300,
    /**
     * Maximum wait until an opened page shows the button for a form that the crawl has found in the page's
     * HTML.
     */
    showsButtonsWithin: 10 * SECOND,
    /**
     * Number of opened pages whose buttons do not appear within `showsButtonsWithin`. After this number, the
     * exploration no longer waits for buttons, because the site's styles probably hide them.
     */
    pagesWithoutButtons: 2,
    /**
     * Number of opened pages whose layer (such as a splash screen) stays for `uncoversWithin`. After this
     * number, the exploration waits for no further layers. One page is not enough, because the application
     * may still have been starting.
     */
    lastingLayers: 2,
    /**
     * Number of attempts to open a page for the first time. A busy machine or site may be too slow at the
     * first attempt.
     */
    openAttempts: 2,
    /** An exploration stops pressing controls after this number of crashed or lost browsers. */
    lostBrowsers: 3,
    /**
     * An exploration stops pressing controls after this number of consecutive pages that cannot be opened. The
     * site then probably refuses the visitor.
     */
    refusedPages: 3,
    /**
     * Maximum number of rounds of an exploration. A round follows links, and then presses controls, which may
     * open pages with further links.
     */
    rounds: 4,
    /**
     * Maximum number of links of one state that become transitions of the map. Further links usually are rows of a
     * long list and add nothing to the map.
     */
    links: 100,
    /** Maximum number of links of one state that lead to the same address and become transitions of the map. */
    linksToAddress: 2,
    /** Maximum number of texts stored for a state. */
    texts: 60,
    /** Maximum length of a state's name in characters. */
    nameLength: 120,
    /**
     * Maximum number of pictures of screens that one job takes. With about 20 KB each, they take 10 MB at
     * most.
     */
    pictures: 500,
  },
  /** Maximum number of pages that one job reads at once. The limit of the host may be lower. */
  concurrency: 16,
  /** Maximum number of pages in one commit. */
  batchPages: 25,
  /**
   * Maximum total size of the documents in one commit, in bytes. The limit is low, because storing a document
   * makes several copies in memory.
   */
  batchBytes: 1_024 * 1_024,
  /** Maximum number of rows of one kind in one commit. A page may have tens of thousands of links. */
  batchRows: 2_000,
  /**
   * Maximum time that a page waits after it was read, so that it is stored together with other pages in one
   * commit. A commit costs as much as reading several pages, even if it contains a single page.
   */
  batchWait: 500,
  /**
   * Maximum time for which a page that was read waits for other pages while no URL is queued (otherwise
   * `batchWait`). It is short, because new URLs can then only come from the waiting pages.
   */
  dryWait: 20,
  /** Maximum number of pages that were read and are not stored yet. Beyond it, the crawl pauses reading. */
  unstoredPages: 32,
  /**
   * The crawl pauses reading when the documents that were read and are not stored yet have this total size in
   * bytes.
   */
  unstoredBytes: 2 * 1_024 * 1_024,
  /**
   * A crawl thread reports this number of bytes to the garbage collector as used, although they are not. The
   * garbage collector then runs less often, which makes a crawl 25 % faster and costs about 10 MB. Twice the
   * value gains nothing.
   */
  ballast: 24 * 1_024 * 1_024,
  /** Number of known URLs kept in memory. Links to these URLs need no query to the store. */
  knownUrls: 20_000,
  /** The job gives up a URL after this number of failed reads. */
  attempts: 3,
  /**
   * Maximum number of reads of a URL whose host was overloaded each time. It exceeds `attempts`, because the
   * overload is not the fault of the page.
   */
  overloadAttempts: 8,
  /**
   * Pause before the second read of a URL. It doubles for each further read up to `maxBackoff`. A server's
   * Retry-After has priority.
   */
  backoff: SECOND,
  maxBackoff: MINUTE,
  /**
   * After this number of pages of a URL template without new content, its other URLs are skipped
   * (exploration/crawl/crawler-trap-detection.ts).
   */
  pagesWithoutNovelty: 10,
  /**
   * Number of special pages or revisions of a wiki after which further special pages or revisions are skipped.
   * Text on such pages never counts as new content.
   */
  specialPagesWithoutNovelty: 3,
  /**
   * Number of other orders or lengths of one list that are read; further ones are skipped. The same number applies to
   * pages with a filter of the list that have no new content. Two of each show that the list takes such parameters,
   * and a map needs no more.
   */
  viewsOfListWithoutNovelty: 2,
  /**
   * A page has new content if at least this share of its text (0 to 1, by weight) is absent from the pages
   * with similar URLs.
   */
  noveltyShare: 1 / 4,
  /** Maximum number of characters of a page that are compared with other pages. */
  comparedLength: 4_096,
  /** Maximum number of lines of a page that are compared with other pages. */
  comparedLines: 100,
  /**
   * Maximum number of URL families in a job. The URLs of a family have the same host and path pattern. The least
   * recently used families are dropped first.
   */
  families: 2_000,
  /**
   * Maximum number of variants in a URL family (same host and path pattern). The URLs of one variant also have the
   * same parameter names. The least recently used variants are dropped first.
   */
  variants: 100,
  /** Maximum number of text lines that are stored for the pages of a URL family (same host and path pattern). */
  familyLines: 1_500,
  /** Maximum number of crawler traps that a job reports. */
  traps: 50,
  /** Maximum number of example URLs for each reported crawler trap. */
  trapExamples: 3,
  /** Maximum number of sitemaps and feeds that one job reads. */
  listings: 200,
  /** Maximum number of feeds among the sitemaps and feeds that one job reads. */
  feeds: 20,
  /** Maximum number of pages that one job takes from all sitemaps and feeds together. */
  listedPages: 200_000,
  /** Maximum number of pages that wait until the page at their canonical address was read. */
  deferredPages: 200,
  /**
   * A job remembers for each folder how the site answers a URL that does not exist, to detect not-found pages
   * with status 200. This is the maximum number of such folders.
   */
  probedFolders: 100,
  /** Maximum number of patterns in `include` or `exclude` of a request. */
  patterns: 100,
  /** Maximum length in characters of one pattern in `include` or `exclude`. */
  patternLength: 500,
  rendering: {
    /**
     * Minimum number of rendered pages of one kind before Cairn decides how to read other pages of the kind.
     * All these pages must lead to the same decision.
     */
    samples: 2,
    /**
     * Number of rendered pages of one kind in a row that had no more content than their HTML. After this
     * number, pages of this kind are read over HTTP again.
     */
    giveUpAfter: 5,
    /**
     * If pages of one kind are read over HTTP, one of every `recheckEvery` pages is also rendered, to check
     * that HTTP still suffices. Only pages with signs of scripts are counted.
     */
    recheckEvery: 20,
    /** Maximum number of kinds of pages whose counts a job keeps. */
    kinds: 500,
    /**
     * Maximum number of titles of rendered pages that a job remembers, to detect a title that all pages
     * share.
     */
    titles: 500,
  },
  /** Minimum interval between progress events. A change of status is published immediately. */
  progressEvery: 250,
  /** Minimum interval between messages that announce waiting pages to the map. */
  notifyMapEvery: SECOND,
  /**
   * Interval at which a job that only waits for its map queries this map. The query detects that the map is
   * out of service.
   */
  pollMapEvery: 15 * SECOND,
} as const;
