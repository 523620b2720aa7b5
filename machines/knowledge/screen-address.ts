/**
 * The address of a screen's instance as positions that can be compared and masked one by one: path segments, the
 * segments of a client route behind `#`, and query parameters by name.
 */
import { maskSegment } from "../exploration/url-template.ts";

/** Parameters that page, sort or size a list: they never make another screen. */
const LIST_PARAMETERS = new Set(
  (
    "page p pg paged pagenum page_num pagenumber offset start limit per_page perpage page_size pagesize size from " +
    "cursor after before sort sortby sort_by sortorder order orderby order_by ordering o dir direction asc desc " +
    "view_mode display"
  ).split(" "),
);
/** Parameters whose values name what is done or shown: DokuWiki's `do`, MediaWiki's `action`, phpBB's `mode`. */
const FUNCTION_PARAMETERS = new Set("do action act cmd op mode task view tab".split(" "));

/** Whether a parameter pages, sorts or sizes a list; json-server and Datasette write `_sort`. */
function isListParameter(name: string): boolean {
  return LIST_PARAMETERS.has(name.toLowerCase().replace(/^_/, ""));
}

export function isFunctionParameter(name: string): boolean {
  return FUNCTION_PARAMETERS.has(name.toLowerCase());
}

/** A segment that names a page of a list: `/blog/page/2`. */
const PAGE_SEGMENT = /^(?:page|p|seite|pagina|página)$/i;

export interface AddressPosition {
  /** A parameter's name; empty for a path segment. */
  readonly name: string;
  readonly value: string;
  /** `value` with numbers, dates and ids masked: `{n}`, `{date}`, `{id}`. */
  readonly masked: string;
}

export interface ScreenAddress {
  readonly host: string;
  readonly path: readonly AddressPosition[];
  readonly query: readonly AddressPosition[];
}

/** `undefined` for a text that is no URL. */
export function addressOf(url: string): ScreenAddress | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const route = /^#!?(\/.*)/.exec(parsed.hash)?.[1];
  const [routePath = "", routeQuery = ""] = route === undefined ? [] : split(route);
  const path = withoutPaging(segmentsOf(parsed.pathname));
  const segments = route === undefined ? path : [...path, "#", ...withoutPaging(segmentsOf(routePath))];
  return {
    host: parsed.host,
    path: segments.map((value) => ({ name: "", value, masked: maskSegment(value).text })),
    query: [...parametersOf(parsed.search), ...parametersOf(routeQuery)].sort((a, b) =>
      a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
    ),
  };
}

function split(route: string): readonly [string, string] {
  const question = route.indexOf("?");
  return question < 0 ? [route, ""] : [route.slice(0, question), route.slice(question)];
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** `/blog/page/2` is `/blog`, further down. */
function withoutPaging(segments: readonly string[]): readonly string[] {
  const number = segments.at(-1) ?? "";
  const word = segments.at(-2) ?? "";
  return /^\d{1,4}$/.test(number) && PAGE_SEGMENT.test(word) ? segments.slice(0, -2) : segments;
}

function parametersOf(search: string): readonly AddressPosition[] {
  return [...new URLSearchParams(search)].flatMap(([name, value]) =>
    isListParameter(name) ? [] : [{ name, value, masked: maskSegment(value).text }],
  );
}
