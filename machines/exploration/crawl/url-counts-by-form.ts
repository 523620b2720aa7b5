/**
 * Counts the URLs that a crawl knows by their form, the pattern with masked ids: `/orders/17` and
 * `/orders/18` have one form. When `max_pages` is reached, a URL of a rare form replaces a queued URL of a
 * common form. The rare form probably belongs to a screen of its own.
 */
import { isProgramFile } from "../../knowledge/page-groups/program-files-with-item-ids.ts";
import { maskSegment } from "./crawl-url-template.ts";
import { functionInParameters } from "./functions-in-parameters.ts";
import { routeOf } from "./normalise-url.ts";
import { isOrderedList, listViewOf } from "./order-and-filter-parameters.ts";
import { splitPathParameters } from "./semicolon-parameters-in-url-paths.ts";

/**
 * Number of known URLs of one form below which the form counts as rare. With three pages of a form, the map
 * can learn the screen that the pages share.
 */
const FEW_URLS = 3;
/**
 * A form (URL pattern with masked ids) is common if the crawl knows at least this number of its URLs. A
 * folder with at least this number of known names counts as common too. In the queue, URLs of rare forms may
 * take the places of common ones. After the same number of similar pages without new content, further pages
 * are skipped.
 */
const MANY_URLS = 10;
/**
 * Maximum number of URL forms (patterns with masked ids) that are counted. Further forms never count as rare.
 */
const MOST_FORMS = 20_000;
/**
 * Maximum share (0 to 1) of `max_pages` that may be queued URLs whose places are given to URLs of rare forms.
 * The limit matters for sites with rare forms in every folder.
 */
const MOST_YIELDED = 0.25;

/**
 * Matches the id of an item as the value of a parameter, as in `/viewtopic.php?t=4` (phpBB) and
 * `/Ticket/Modify.html?id=4` (Request Tracker). The file in such an address is a program that shows any item,
 * so it does not count as an item of its folder.
 */
const ITEM_ID = /^\d+$/;

/**
 * Matches a code or a key of an item: at least four capital letters and digits, with a capital letter. Examples are
 * `FWYC3D` and `GCEHKQ` in `/submissions/FWYC3D/reviews/` (pretalx), and `TOWN` in `/projects/TOWN/repos` (Bitbucket)
 * and `/display/TOWN/Home` (Confluence).
 */
const ITEM_CODE = /^(?=\d*[A-Z])[A-Z\d]{4,}$/;

/** Matches a folder that is an item: its last segment is a masked number, id or code. */
const ITEM_FOLDER = /\/\{(?:n|id|code)\}$/;
/**
 * Words after items, such as `accept` in `/talks/{code}/accept`, count as operations if they repeat. On
 * average, the crawl must know at least this number of URLs with each of these words.
 */
const REPEATED = 2;

interface UrlForm {
  readonly form: string;
  readonly path: string;
  /**
   * The folder that contains the path; `undefined` if the path is a program that shows items, such as
   * `/viewtopic.php`.
   */
  readonly folder: string | undefined;
  /** Whether the parameters choose the order, the length or a filter of a list. */
  readonly isView: boolean;
  /** Whether parameters select the function of a program (`functions-in-parameters.ts`). */
  readonly isFunction: boolean;
}

export class UrlForms {
  readonly #maxPages: number;
  readonly #urls = new Map<string, number>();
  /** For each folder, the number of different names (paths with masked ids) in it. */
  readonly #names = new Map<string, number>();
  /** For each folder that ends in an item's id, such as `/talks/{code}`, the number of known URLs in it. */
  readonly #urlsOfItems = new Map<string, number>();
  readonly #paths = new Set<string>();
  #total = 0;
  #yielded = 0;

  constructor(maxPages: number) {
    this.#maxPages = maxPages;
  }

  add(url: string): void {
    this.#total += 1;
    const { form, path, folder } = formOf(url);
    const count = this.#urls.get(form);
    if (count === undefined && this.#urls.size >= MOST_FORMS) return;
    this.#urls.set(form, (count ?? 0) + 1);
    if (folder !== undefined && ITEM_FOLDER.test(folder))
      this.#urlsOfItems.set(folder, (this.#urlsOfItems.get(folder) ?? 0) + 1);
    if (folder === undefined || this.#paths.has(path)) return;
    this.#paths.add(path);
    this.#names.set(folder, (this.#names.get(folder) ?? 0) + 1);
  }

  /**
   * Whether the crawl knows only few URLs of the form of `url`. The result is always false after the crawl
   * knows `MOST_FORMS` forms, or has postponed the share `MOST_YIELDED` of its page limit.
   */
  isRare(url: string): boolean {
    if (this.#urls.size >= MOST_FORMS || this.#yielded >= MOST_YIELDED * this.#maxPages) return false;
    const { form, folder, isView, isFunction } = formOf(url);
    if (isView) return false;
    const count = this.#urls.get(form) ?? 0;
    // All pages of a function (selected by parameters) are one screen, so one known URL of it is enough. For
    // any other form, the map must compare several pages to learn the screen.
    return count < (isFunction ? 1 : FEW_URLS) && this.#namesIn(folder) < MANY_URLS;
  }

  /**
   * Whether the crawl may postpone this URL. This is so if the crawl knows many URLs of the same form (pattern with
   * masked ids), or many names in the same folder. A few known URLs are enough in two cases, because the map can
   * learn the screen from them: for a page below an item, such as `/roles/{id}/attributes`, and for a function that
   * parameters select. A list in another order or with a filter may always be postponed.
   */
  mayYield(url: string): boolean {
    const { form, folder, isView, isFunction } = formOf(url);
    if (isView) return true;
    const count = this.#urls.get(form) ?? 0;
    if (isFunction && count >= FEW_URLS) return true;
    const isOfItem = ITEM_FOLDER.test(folder ?? "");
    return count >= MANY_URLS || (isOfItem && count > FEW_URLS) || this.#namesIn(folder) >= MANY_URLS;
  }

  /**
   * Returns the number of names in a folder. Words that repeat after items, such as `accept` in
   * `/talks/{code}/accept`, are operations and no names.
   */
  #namesIn(folder: string | undefined): number {
    const names = folder === undefined ? 0 : (this.#names.get(folder) ?? 0);
    return (this.#urlsOfItems.get(folder ?? "") ?? 0) >= REPEATED * names ? 0 : names;
  }

  /** Whether the crawl knows at least `max_pages` URLs, so that a further one finds no room. */
  get isFull(): boolean {
    return this.#total >= this.#maxPages;
  }

  /**
   * Number of postponed URLs, in whose place URLs of rare forms are read. A form is a URL pattern with masked
   * ids.
   */
  get yielded(): number {
    return this.#yielded;
  }

  recordYielded(count: number): void {
    this.#yielded += count;
  }

  /**
   * Records which URLs were postponed. Lists in another order or with a filter do not count, because hardly any screen is
   * lost with them.
   */
  recordYieldedUrls(urls: readonly string[]): void {
    this.recordYielded(urls.filter((url) => !formOf(url).isView).length);
  }
}

/**
 * Returns the form of a URL (the pattern of similar URLs), its masked path, and its folder. A form consists of the path with
 * masked numbers, dates, ids and codes, and the names of the parameters. A code at the end of a path stays, because
 * it may be a word.
 */
function formOf(url: string): UrlForm {
  const parsed = URL.parse(url);
  if (!parsed) return { form: url, path: url, folder: "", isView: false, isFunction: false };
  // A client-side route after "#" is a part of the path: `#/users/17/settings`, `#/users?page=2`.
  const hash = routeOf(url);
  const route = hash === "" ? null : URL.parse(hash.replace(/^#!?\/?/u, "/"), parsed.origin);
  const inPath = splitPathParameters(`${parsed.pathname}${route ? `/#${route.pathname}` : ""}`);
  const segments = inPath.path.split("/").filter((segment) => segment !== "");
  const masked = segments.map((segment, at) =>
    at < segments.length - 1 && ITEM_CODE.test(segment) ? "{code}" : maskSegment(segment).text,
  );
  const written = [
    ...new URLSearchParams(inPath.parameters.join("&")),
    ...parsed.searchParams,
    ...(route?.searchParams ?? []),
  ].map(([name, value]) => ({ name, value }));
  const selected = functionInParameters(written);
  const parameters = selected?.others ?? written;
  const names = [...new Set(parameters.map(({ name }) => name))].sort();
  const parts = [parsed.host, ...masked, ...(selected?.path ?? [])];
  const path = parts.join("/");
  const isProgram =
    selected === undefined &&
    isProgramFile(parsed.pathname) &&
    [...parsed.searchParams.values()].some((value) => ITEM_ID.test(value));
  return {
    form: `${path}?${names.join("&")}`,
    path,
    isView: listViewOf(parameters) !== undefined || isOrderedList(parameters),
    isFunction: selected !== undefined,
    folder: isProgram ? undefined : parts.slice(0, -1).join("/"),
  };
}
