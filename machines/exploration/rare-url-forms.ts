/**
 * Counts the URLs that a crawl knows by their form. When `max_pages` is reached, a URL of a rare form is
 * queued in place of a URL of a common form. A rare form probably belongs to a screen of its own.
 */
import { maskSegment } from "./crawl-url-template.ts";

/**
 * Number of known URLs of one form below which the form counts as rare. With three pages of a form, the map
 * can learn the screen that the pages share.
 */
const FEW_URLS = 3;
/**
 * Minimum number of known URLs of one form with which the form is common. A folder with this number of known
 * forms is common too. In the queue, URLs of rare forms may take the places of URLs of common forms. The
 * number equals the number of pages without new content after which similar URLs are skipped.
 */
const MANY_URLS = 10;
/** Maximum number of URL forms of which the URLs are counted. Further forms of a site never count as rare. */
const MOST_FORMS = 20_000;
/**
 * Maximum number of queued URLs that give their places to URLs of rare forms, as a share (0 to 1) of
 * `max_pages`. The limit matters for sites that have rare forms in every folder.
 */
const MOST_YIELDED = 0.25;

interface UrlForm {
  readonly form: string;
  readonly folder: string;
}

export class UrlForms {
  readonly #maxPages: number;
  readonly #urls = new Map<string, number>();
  /** For each folder, the number of different forms (URLs with masked ids) below it. */
  readonly #forms = new Map<string, number>();
  #total = 0;
  #yielded = 0;

  constructor(maxPages: number) {
    this.#maxPages = maxPages;
  }

  add(url: string): void {
    this.#total += 1;
    const { form, folder } = formOf(url);
    const count = this.#urls.get(form);
    if (count === undefined && this.#urls.size >= MOST_FORMS) return;
    this.#urls.set(form, (count ?? 0) + 1);
    if (count === undefined) this.#forms.set(folder, (this.#forms.get(folder) ?? 0) + 1);
  }

  /**
   * Whether the crawl knows only few URLs of the form of `url`. The result is always false after the crawl
   * knows `MOST_FORMS` forms, or has postponed the share `MOST_YIELDED` of its page limit.
   */
  isRare(url: string): boolean {
    if (this.#urls.size >= MOST_FORMS || this.#yielded >= MOST_YIELDED * this.#maxPages) return false;
    const { form, folder } = formOf(url);
    return (this.#urls.get(form) ?? 0) < FEW_URLS && (this.#forms.get(folder) ?? 0) < MANY_URLS;
  }

  /** Whether the crawl may postpone this URL, because it knows many URLs of the same form. */
  mayYield(url: string): boolean {
    const { form, folder } = formOf(url);
    return (this.#urls.get(form) ?? 0) >= MANY_URLS || (this.#forms.get(folder) ?? 0) >= MANY_URLS;
  }

  /** Whether the crawl knows at least `max_pages` URLs, so that a further one finds no room. */
  get isFull(): boolean {
    return this.#total >= this.#maxPages;
  }

  /** Number of URLs that were postponed in favour of URLs of rare forms. */
  get yielded(): number {
    return this.#yielded;
  }

  recordYielded(count: number): void {
    this.#yielded += count;
  }
}

/**
 * Returns the form of a URL (the pattern of similar URLs) and its folder. A form consists of the path with
 * masked numbers, dates and ids, and the names of the parameters.
 */
function formOf(url: string): UrlForm {
  const parsed = URL.parse(url);
  if (!parsed) return { form: url, folder: "" };
  const segments = parsed.pathname.split("/").filter((segment) => segment !== "");
  const masked = segments.map((segment) => maskSegment(segment).text);
  const names = [...new Set(parsed.searchParams.keys())].sort();
  const path = [parsed.host, ...masked];
  return { form: `${path.join("/")}?${names.join("&")}`, folder: path.slice(0, -1).join("/") };
}
