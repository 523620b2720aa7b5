/**
 * Computes the template of a URL. In a template, all parts that a site can generate without end are masked:
 * numbers, dates, random ids, parameters, repeated folders. Pages whose URLs have the same template are
 * compared in `crawler-trap-detection.ts`, which decides whether to follow such URLs.
 */
import { percentDecoded } from "../../percent-decoding.ts";
import { functionInParameters } from "./functions-in-parameters.ts";
import { isOrderedList, listViewOf } from "./order-and-filter-parameters.ts";
import { splitPathParameters } from "./semicolon-parameters-in-url-paths.ts";

/**
 * What makes the URLs of a template endless. `sequence`: numbers. `random`: random ids. `calendar`: dates.
 * `parameters`: query parameters. `wiki`: special pages and revisions. `loop`: repeated folders.
 */
export type TemplateKind = "sequence" | "random" | "calendar" | "parameters" | "wiki" | "loop";

export interface Template {
  /**
   * The URL family: host and path with masked parts, without parameters, such as `e.com/product/{n}`. A line
   * of text is not new if any earlier page of the family contains it.
   */
  readonly family: string;
  /**
   * What distinguishes the templates of one URL family (the same host and path pattern): the parameter names,
   * or the special page of a wiki. Empty for all other URLs.
   */
  readonly variant: string;
  readonly kind: TemplateKind;
  /**
   * Whether new text on a page with this template counts as new content. For example, it does not in the
   * history of a wiki page.
   */
  readonly textCounts: boolean;
}

/**
 * Variants (`Template.variant`) of addresses that show a list again: in another order or length, or with a
 * filter.
 */
export const LIST_VIEWS = { order: "?{order}", filter: "?{filter}" } as const;

/** Returns the template in readable form. The template is stored in this form too. */
export function templateName({ family, variant }: Pick<Template, "family" | "variant">): string {
  return variant === "" ? family : `${family} ${variant}`;
}

/**
 * Maximum number of parameters whose names are part of a URL template. In a URL with more parameters, their
 * names are left out, because such names have too many combinations.
 */
const NAMED_PARAMETERS = 6;

/**
 * Returns the template of a normalised URL. Returns `undefined` if a site cannot generate endless URLs of
 * this kind.
 */
export function templateOf(url: string): Template | undefined {
  const start = url.indexOf("//") + 2;
  const slash = url.indexOf("/", start);
  const question = url.indexOf("?", slash);
  const host = url.slice(start, slash);
  const inPath = splitPathParameters(url.slice(slash + 1, question < 0 ? undefined : question));
  const segments = inPath.path.split("/").filter(Boolean);
  const written = [
    ...(inPath.parameters.length === 0 ? [] : parametersOf(inPath.parameters.join("&"))),
    ...(question < 0 ? [] : parametersOf(url.slice(question + 1))),
  ];
  const selected = functionInParameters(written);
  const parameters = selected?.others ?? written;
  const special = wikiPage(segments, parameters);
  if (special !== undefined) return { family: host, variant: special, kind: "wiki", textCounts: false };
  const revision = revisionPage(segments);
  if (revision) {
    const family = [host, ...revision.folder].join("/");
    return { family, variant: revision.view, kind: "wiki", textCounts: false };
  }
  const looped = repeats(segments);
  if (looped !== undefined) {
    return { family: `${host}/${looped}/…`, variant: "", kind: "loop", textCounts: true };
  }
  const masked = withoutPostNames(segments.map(maskSegment), segments);
  const family = [host, ...masked.map(({ text }) => text), ...(selected?.path ?? [])].join("/");
  const variant = variantOf(parameters);
  const history = historyPage(segments);
  if (history !== undefined && variant === "") {
    return { family: `${host}/${history}`, variant, kind: "wiki", textCounts: true };
  }
  const view = listViewOf(parameters) ?? (isOrderedList(parameters) ? "order" : undefined);
  if (view !== undefined && !parameters.some(isDateParameter)) {
    const textCounts = view === "filter";
    return { family, variant: LIST_VIEWS[view], kind: "parameters", textCounts };
  }
  const kind = kindOf(masked, segments, parameters);
  return kind === undefined ? undefined : { family, variant, kind, textCounts: true };
}

interface Parameter {
  readonly name: string;
  readonly value: string;
}

function parametersOf(query: string): Parameter[] {
  return query.split(/[&;]/).map((written) => {
    const equals = written.indexOf("=");
    return equals < 0
      ? { name: written.toLowerCase(), value: "" }
      : { name: written.slice(0, equals).toLowerCase(), value: written.slice(equals + 1) };
  });
}

function variantOf(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return "";
  const [, several] = parameters;
  // Addresses of old revisions (`file?name=a&ci=tip`) form a separate variant. Their text equals that of the current
  // file. If both were in one variant, the current files would count as pages without new content.
  const named = parameters.map(({ name, value }) => {
    const masked = name.replace(/\d+/g, "#");
    return several && REVISION_ID.test(value) ? `${masked}={id}` : masked;
  });
  const names = [...new Set(named)].sort();
  return names.length > NAMED_PARAMETERS ? "?…" : `?${names.join("&")}`;
}

export type Mask = "none" | "number" | "date" | "random";

/**
 * Replaces a path segment by a placeholder if the segment is a number, a date or a random text. The segment is
 * decoded first, because the digits of `%40` or `%D1` are no number.
 */
export function maskSegment(written: string): { readonly text: string; readonly mask: Mask } {
  const segment = percentDecoded(written);
  const dot = segment.lastIndexOf(".");
  const extension = dot > 0 && /^\.[a-z]{2,5}$/i.test(segment.slice(dot)) ? segment.slice(dot) : "";
  const stem = segment.slice(0, segment.length - extension.length);
  if (isDate(stem)) return { text: `{date}${extension}`, mask: "date" };
  if (/^\d+$/.test(stem)) {
    return stem.length > 6
      ? { text: `{id}${extension}`, mask: "random" }
      : { text: `{n}${extension}`, mask: "number" };
  }
  if (isRandom(stem)) return { text: `{id}${extension}`, mask: "random" };
  if (!/\d/.test(stem)) return { text: segment, mask: "none" };
  return { text: stem.replace(/\d+/g, "{n}") + extension, mask: "number" };
}

/** Whether a text is a date: 2031-05, 2031-05-17, 2031-W20, 20310517. */
function isDate(text: string): boolean {
  return (
    /^(?:1[89]|2[01])\d\d(?:-?(?:0[1-9]|1[0-2])(?:-?(?:0[1-9]|[12]\d|3[01]))?|-?w[0-5]\d)$/i.test(text) &&
    text.length > 4 &&
    text.length !== 6
  );
}

/** Matches base64 with padding, such as `T3JkZXI6MQ==` for the order 1 of Saleor. */
const PADDED = /^(?=.*[A-Z])(?=.*[a-z])[\w-]{6,}={1,2}$/;
/** Minimum length in characters of a random text in mixed case that may contain hyphens, such as an id of nanoid. */
const MIXED_CASE_ID = 16;
/** Minimum number of changes between letters and digits in a random text. */
const CHANGES = 3;

/**
 * Whether a text looks random: hex digits, a UUID, base64 with padding, or letters and digits that alternate
 * repeatedly. Words and version numbers do not.
 */
function isRandom(text: string): boolean {
  if (/^[0-9a-f]{8,}$/i.test(text) || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) {
    return /\d/.test(text);
  }
  if (PADDED.test(text) && text.length % 4 === 0) return true;
  if (!/^[a-z0-9_-]{6,}$/i.test(text)) return false;
  if ((text.match(/[a-z]\d|\d[a-z]/gi)?.length ?? 0) < CHANGES) return false;
  return !/-[a-z]{3,}/i.test(text) || isMixedCaseId(text);
}

/**
 * Whether a text is a random id that may contain hyphens, such as `V1StGXR8_Z5jdHi6B-myT` of nanoid. A text
 * that contains words between hyphens is no such id.
 */
function isMixedCaseId(text: string): boolean {
  if (text.length < MIXED_CASE_ID || !/[a-z]/.test(text) || !/[A-Z]/.test(text)) return false;
  return !text.split(/[-_]/).some((part) => /^[A-Z]?[a-z]{3,}$/.test(part));
}

/**
 * Replaces the name after a date by a placeholder, as in `2019/03/{name}`, because a site has many posts with
 * such addresses.
 */
function withoutPostNames<M extends { readonly text: string; readonly mask: Mask }>(
  masked: readonly M[],
  segments: readonly string[],
): readonly (M | { readonly text: string; readonly mask: Mask })[] {
  const last = masked.length - 1;
  const dated =
    masked[last - 1]?.mask === "date" || endsInDate(masked.slice(0, last), segments.slice(0, last));
  return dated && masked[last]?.mask === "none"
    ? [...masked.slice(0, last), { text: "{name}", mask: "none" as const }]
    : masked;
}

const MONTH = /^(?:0?[1-9]|1[0-2])$/;
const YEAR = /^(?:1[89]|2[01])\d\d$/;

/**
 * Whether the path ends in a date, as for a day of a calendar. A path with a name after the date, such as
 * `/2031/05/my-trip`, is that of a post.
 */
function endsInDate(masked: readonly { readonly mask: Mask }[], segments: readonly string[]): boolean {
  if (masked.at(-1)?.mask === "date") return true;
  const year = segments.findLastIndex((segment) => YEAR.test(segment));
  if (year < 0 || year === segments.length - 1) return false;
  const rest = segments.slice(year + 1);
  return (
    rest.length <= 2 &&
    rest.every((segment, at) => (at === 0 ? MONTH : /^(?:0?[1-9]|[12]\d|3[01])$/).test(segment))
  );
}

const DATE_NAME = /^(?:.*_)?(?:date|day|month|year|week|yr|mon|cal|ym|ymd)$/;

function isDateParameter({ name, value }: Parameter): boolean {
  return (
    isDate(value) ||
    (DATE_NAME.test(name) && /^\d{1,8}$/.test(value)) ||
    /^(?:1[89]|2[01])\d\d[/.]\d\d?/.test(value)
  );
}

function kindOf(
  masked: readonly { readonly mask: Mask }[],
  segments: readonly string[],
  parameters: readonly Parameter[],
): TemplateKind | undefined {
  const names = parameters.map(({ name }) => name);
  if (names.some((name) => /^y(?:ear)?$/.test(name)) && names.some((name) => /^m(?:onth)?$/.test(name)))
    return "calendar";
  if (parameters.some(isDateParameter) || endsInDate(masked, segments)) return "calendar";
  const [only, another] = parameters;
  if (another !== undefined) return "parameters";
  if (only !== undefined && !/^\d{1,6}$/.test(only.value)) return "parameters";
  if (masked.some(({ mask }) => mask === "random")) return "random";
  return only !== undefined || masked.some(({ mask }) => mask !== "none") ? "sequence" : undefined;
}

/**
 * Returns the first folder of a path in which folders repeat, such as `a` for `/a/b/a/b/a/b`; `undefined` for
 * any other path. Such paths result from relative links that a server resolves wrongly.
 */
function repeats(segments: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (let at = 0; at < segments.length; at++) {
    const segment = segments[at] ?? "";
    if (/^\d+$/.test(segment)) continue;
    const count = (counts.get(segment) ?? 0) + 1;
    counts.set(segment, count);
    const pair = at >= 3 && segment === segments[at - 2] && segments[at - 1] === segments[at - 3];
    if (count >= 3 || segment === segments[at - 1] || pair) return segments[0];
  }
  return undefined;
}

/** Names of MediaWiki's special pages, in the languages of its largest wikis. */
const SPECIAL_PAGE =
  /^(?:special|spezial|spécial|especial|speciale|speciaal|specjalna|служебная|特別|特殊|toiminnot)[:/]([^/?&]+)/i;
/**
 * Names of actions on a wiki page, such as `edit` (MediaWiki, DokuWiki, MoinMoin, TWiki). The action that
 * only shows the page is not in the list.
 */
const WIKI_ACTIONS = new Set(
  (
    "edit history info submit raw render delete protect unprotect watch unwatch purge credits markpatrolled revert " +
    "rollback diff revisions backlink backlinks index login recent media subscribe admin register resendpwd " +
    "annotate attachfile likepages localsitemap print rename deletepage subscribeuser"
  ).split(" "),
);
/** Parameters with numbers that wikis add to the name of a page. Any other number is the id of an item. */
const NUMBERS_OF_WIKI = /^(?:section|undo|undoafter|oldid|diff|rev2?|curid|limit|offset|from|page)$/;
const WIKI_PARAMETERS = new Set(["oldid", "diff", "veaction", "redlink", "printable", "rev", "rev2"]);

function wikiPage(segments: readonly string[], parameters: readonly Parameter[]): string | undefined {
  const title =
    parameters.find(({ name }) => name === "title")?.value ?? segments.find((part) => /:|%3A/i.test(part));
  const special = title === undefined ? undefined : SPECIAL_PAGE.exec(percentDecoded(title))?.[1];
  if (special !== undefined) return `Special:${special}`;
  // `post.php?post=12&action=edit` (WordPress) and `card.php?id=3&action=edit` (Dolibarr) edit items of an application.
  const isItem =
    !parameters.some(({ name }) => name === "title") &&
    parameters.some(({ name, value }) => /^\d+$/.test(value) && !NUMBERS_OF_WIKI.test(name));
  for (const { name, value } of parameters) {
    if (isItem && name === "action" && value === "edit") continue;
    if ((name === "action" || name === "do") && (WIKI_ACTIONS.has(value) || value.startsWith("export_")))
      return `?${name}=${value}`;
    if (WIKI_PARAMETERS.has(name)) return `?${name}`;
    if (REVISION_PARAMETERS.has(name) && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(value)) return `?${name}`;
  }
  return undefined;
}

/**
 * Words in addresses of source code browsers (hgweb, gitweb, cgit, Gitea, Trac, Fossil) before a revision,
 * such as `commit` in `/commit/{revision}`.
 */
const REVISION_VIEWS =
  /^(?:raw-)?(?:rev|revisions?|changesets?|commits?|commitdiff|diff|patch|comparison|compare|annotate|blame|log|shortlog|changelog|filelog|history|graph|archive|snapshot|artifact|checkin|vinfo|ci_tags|vdiff|tarball)$/i;
/**
 * Words in the addresses of source code browsers that show one file of a revision, such as `blob` in
 * `/blob/{revision}/{path}`.
 */
const FILE_VIEWS = /^(?:raw-)?(?:file|files|src|source|tree|blob|browse|raw|plain|manifest)$/i;
const REVISION_PARAMETERS = new Set(["h", "hb", "hp", "hpb", "id", "id2", "commit", "revision", "sha"]);

const REVISION_ID = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,64}$/i;
/** Matches names of the newest revision in source code browsers, such as `master`. */
const NEWEST = /^(?:tip|head|default|trunk|master|main|stable)$/i;

/**
 * Detects an address that shows an old revision or another view of a file. Returns its folder and its masked
 * view: `repo` and `annotate/{id}/…` for `repo/annotate/0a1b2c3d4e5f/a/file`. Returns `undefined` for any
 * other address. The current file has a page of its own.
 */
function revisionPage(
  segments: readonly string[],
): { readonly folder: readonly string[]; readonly view: string } | undefined {
  for (const [index, segment] of segments.slice(1).entries()) {
    const view = segments[index] ?? "";
    const behind = index + 2 < segments.length;
    const old = REVISION_ID.test(segment);
    const seen = old
      ? REVISION_VIEWS.test(view) || (FILE_VIEWS.test(view) && behind)
      : NEWEST.test(segment) && REVISION_VIEWS.test(view) && behind;
    if (!seen) continue;
    return {
      folder: segments.slice(0, index),
      view: `${view}/${old ? "{id}" : segment}${behind ? "/…" : ""}`,
    };
  }
  return undefined;
}

/**
 * Detects a special page that exists for each page of a wiki: returns `wiki/{page}/history` for
 * `wiki/Tea/history`, and `undefined` for any other address.
 */
function historyPage(segments: readonly string[]): string | undefined {
  const last = segments.at(-1) ?? "";
  if (
    segments.length < 3 ||
    !/^_?(?:history|revisions|edit|diff|compare|backlinks|whatlinkshere)$/i.test(last)
  )
    return undefined;
  return [...segments.slice(0, -2), "{page}", last].join("/");
}
