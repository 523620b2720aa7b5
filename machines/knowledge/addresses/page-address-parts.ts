/**
 * Splits the address of a page (instance) into positions, each of which can be compared and masked
 * separately: path segments, segments of a client-side route after `#`, and query parameters by name.
 */
import { maskSegment } from "../../exploration/crawl/crawl-url-template.ts";
import { isPageOfNamedList, orderOrSizeOf } from "../../exploration/crawl/order-and-filter-parameters.ts";
import { splitPathParameters } from "../../exploration/crawl/semicolon-parameters-in-url-paths.ts";

/**
 * Parameters that choose a page, an order or a size of a list. If addresses differ only in such parameters,
 * they show the same screen.
 */
const LIST_PARAMETERS = new Set(
  (
    "page p pg paged pagenum page_num pagenumber offset start limit per_page perpage page_size pagesize size from " +
    "cursor after before sort sortby sort_by sortorder order orderby order_by ordering o dir direction asc desc " +
    "sortdesc sort_desc descending " +
    "view_mode display"
  ).split(" "),
);
/**
 * Parameters that choose the page, order or size of a list in some applications, but a function, an item or a
 * view in others. Each has a pattern for the values of the second kind, such as `display=trunks` in FreePBX,
 * `p=26` for a post of WordPress, and `view_mode=calendar` of a list of events.
 */
const SELECTING: Readonly<Record<string, RegExp>> = {
  p: /./,
  pg: /./,
  page: /./,
  display: /./,
  view_mode: /./,
  o: /[^\d.,-]/,
  from: /[^\d.,-]/,
  start: /[^\d.,-]/,
  size: /[^\d.,-]/,
  order: /^\d+$/,
};
/**
 * Names of parameters for the words of a search. Without words, they show the whole list: `q=` in Django's
 * administration and doccano, `s=` in WordPress.
 */
const SEARCH_PARAMETER = /^(?:q|s|query|search|filter|keywords?|term)$/i;
/**
 * Names of parameters with the address to return to after an operation: `next` in Django and Flask, `destination`
 * in Drupal, `redirect_to` in WordPress, `came_from` in Plone, `returnTo` in MLflow.
 */
const RETURN_PARAMETER =
  /^(?:next|destination|continue|back|came_?from|(?:return|redirect|success|cancel|back|forward)_?(?:to|ur[il]|path)|redirect|return|referr?er)$/i;
/** Matches an empty list or object, as the value of a search without conditions: `searchQuery=[]` in Camunda. */
const EMPTY_VALUE = /^(?:\[\s*\]|\{\s*\})$/;
/**
 * Names of parameters for the part of a drawing or a map that is in view: `viewbox` in Camunda, `viewport` and `zoom` in
 * editors of graphs, `bbox` in GeoNode. They count only with numbers as values.
 */
const VIEW_PARAMETER = /^(?:view-?(?:box|port)|bbox|bounds|extent|zoom)$/i;
/** Matches a text without letters, except for the keys of an object in JSON. */
const NUMBERS_ONLY = /^(?:"[^"]*":|[-+\d.eE,\s{}[\]])+$/;
/** Matches a path from the root of a site, or a complete web address. */
const ADDRESS_VALUE = /^(?:\/|https?:\/\/)/i;

/**
 * Parameters whose values select a function of the application: `do` in DokuWiki, `a` in gitweb and ThinkPHP,
 * `action` in MediaWiki, `mode` in phpBB, `route` in OpenCart, `controller` in PrestaShop, `section` in the settings of
 * Moodle, WooCommerce and Camunda.
 */
const FUNCTION_PARAMETERS = new Set(
  "do a action act cmd op mode task view tab section route controller module".split(" "),
);

/**
 * Query parameters with two uses: with a number, they select a page of a list, and with a word, they select a
 * function, as in WordPress's `admin.php?page=settings`.
 */
const COUNTING_PARAMETERS = new Set("page p pg".split(" "));
const COUNTED = /^(?:\d*|first|last|next|prev|previous|all)$/i;

/**
 * Whether a query parameter selects the page, the order or the length of a list. In json-server and Datasette
 * its name starts with `_`, as in `_sort`.
 */
function isListParameter(name: string, value: string): boolean {
  const plain = name.toLowerCase().replace(/^_/, "");
  return LIST_PARAMETERS.has(plain) && (!COUNTING_PARAMETERS.has(plain) || COUNTED.test(value));
}

export function isFunctionParameter(name: string): boolean {
  return FUNCTION_PARAMETERS.has(name.toLowerCase());
}

/**
 * Matches a path segment whose first character marks it as a function of the application: `+history`
 * (MoinMoin, Launchpad), `@@edit` (Plone, Zope), `_history` (django-wiki), `_modules` (Sphinx), `_all_docs`
 * (CouchDB), `++add++Document` (Plone) and `++profile++` (Launchpad), which name a namespace of Zope.
 */
const FUNCTION_SEGMENT = /^(?:(?:\+|@@|_)\p{L}[\p{L}-]+(?:_[\p{L}_]+)?|\+\+\p{L}+\+\+.*)$/u;

export function isFunctionSegment(segment: string): boolean {
  return FUNCTION_SEGMENT.test(segment);
}

/**
 * Matches a UUID. A path segment that contains one is the id of one item, whatever words stand before it:
 * `invoice:1:3f0e…` (the key, version and id of a process in Camunda and Flowable), `Roadmap-3f0e…` (Notion, without hyphens).
 */
const UUID = /(?<![0-9a-f])[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}(?![0-9a-f])/i;

/** Matches the path segment that precedes the page number of a list, such as `page` in `/blog/page/2`. */
const PAGE_SEGMENT = /^(?:page|p|seite|pagina|página)$/i;

export interface AddressPosition {
  /** The parameter's name; empty if the value is a path segment. */
  readonly name: string;
  readonly value: string;
  /** The text of `value` with numbers, dates and ids replaced by `{n}`, `{date}` and `{id}`. */
  readonly masked: string;
}

export interface ScreenAddress {
  readonly host: string;
  readonly path: readonly AddressPosition[];
  readonly query: readonly AddressPosition[];
}

/**
 * Whether two addresses differ at most in the page, the order or the length of a list, as `/orders?ordering=date` and
 * `/orders?page=2` do.
 */
export function isSameList(one: string, other: string): boolean {
  const [a, b] = [addressOf(one), addressOf(other)];
  return a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b);
}

/** Parameters that choose the order of a list. */
const ORDER_PARAMETER = /^_?(?:sort|order|ordering)(?:_?(?:by|order|dir|direction|asc|desc))?$/i;

/** Returns an address without the parameters that choose the order of a list: `/issues` for `/issues?sort=last_seen`. */
export function withoutOrder(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  const all = [...parsed.searchParams].map(([name, value]) => ({ name, value }));
  const isOrderOrSize = orderOrSizeOf(all);
  for (const { name, value } of all)
    if (ORDER_PARAMETER.test(name) || isOrderOrSize({ name, value })) parsed.searchParams.delete(name);
  return parsed.href;
}

/** Whether the paths of two addresses differ only in numbers, dates and ids, as `/orders/17` and `/orders/18` do. */
export function areObjectsOfOneKind(one: string, other: string): boolean {
  const [a, b] = [addressOf(one), addressOf(other)];
  if (!a || !b || a.host !== b.host || a.path.length !== b.path.length) return false;
  const isLike = a.path.every(({ masked }, at) => masked === b.path[at]?.masked);
  return isLike && a.path.some(({ value }, at) => value !== b.path[at]?.value);
}

/**
 * Splits a URL into its host, its path segments and its query parameters. Returns `undefined` for a text that is
 * not a URL.
 */
export function addressOf(url: string): ScreenAddress | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const route = /^#!?(\/.*)/.exec(parsed.hash)?.[1];
  const [routePath = "", routeQuery = ""] = route === undefined ? [] : split(route);
  const own = splitPathParameters(parsed.pathname);
  const ofRoute = splitPathParameters(routePath);
  const path = withoutPaging(segmentsOf(own.path));
  const segments = route === undefined ? path : [...path, "#", ...withoutPaging(segmentsOf(ofRoute.path))];
  const inPath = [...own.parameters, ...ofRoute.parameters].join("&");
  return {
    host: parsed.host,
    path: segments.map((value) => ({
      name: "",
      value,
      masked: UUID.test(value) ? "{id}" : maskSegment(value).text,
    })),
    query: [...parametersOf(inPath), ...parametersOf(parsed.search), ...parametersOf(routeQuery)].sort(
      (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
    ),
  };
}

/**
 * Returns an address in which everything up to the client-side route belongs to the host. The path of
 * `/admin/#/users` is then only `users`, because all routes of this application begin with `/admin/#`.
 */
export function withinApplication({ host, path, query }: ScreenAddress): ScreenAddress {
  const at = path.findIndex(({ value }) => value === "#");
  if (at < 0) return { host, path, query };
  const isStart = at === path.length - 1;
  if (isStart) return { host, path: path.slice(0, at), query };
  const base = path.slice(0, at + 1).map(({ value }) => value);
  return { host: [host, ...base].join("/"), path: path.slice(at + 1), query };
}

function split(route: string): readonly [string, string] {
  const question = route.indexOf("?");
  return question < 0 ? [route, ""] : [route.slice(0, question), route.slice(question)];
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/**
 * Matches the last path segment of a list's page, such as `index.html`, `index2.html` (Pelican) or `page2`
 * (Jekyll).
 */
const LIST_SEGMENT = /^(?:index-?\d*\.html?|page-?\d+)$/i;

/**
 * Returns a path without the page number of a list: `/blog` for `/blog/page/2` and for `/blog/index2.html`.
 */
function withoutPaging(segments: readonly string[]): readonly string[] {
  if (LIST_SEGMENT.test(segments.at(-1) ?? "")) return segments.slice(0, -1);
  const number = segments.at(-1) ?? "";
  const word = segments.at(-2) ?? "";
  return /^\d{1,4}$/.test(number) && PAGE_SEGMENT.test(word) ? segments.slice(0, -2) : segments;
}

/**
 * Matches the separator of parameters that HTML 4 (appendix B.2.2) recommends beside `&`, and that gitweb and
 * other programs with CGI.pm use: `?p=town;a=log`.
 */
const OTHER_SEPARATOR = /;(?=[\w.-]+(?:[=;&]|$))/g;

/**
 * Returns the query parameters by which addresses are compared. Left out are: the page or sort order of a
 * list, an address to return to, a search without words, the part of a drawing that is in view, and a function
 * parameter without a value, such as `do` in `?id=start&do=`.
 */
function parametersOf(search: string): readonly AddressPosition[] {
  const all = [...new URLSearchParams(search.replace(OTHER_SEPARATOR, "&"))];
  const isOrderOrSize = orderOrSizeOf(all.map(([name, value]) => ({ name, value })));
  return all.flatMap(([name, value]) =>
    isListParameter(name, value) ||
    isOrderOrSize({ name, value }) ||
    isPageOfNamedList({ name, value }) ||
    (RETURN_PARAMETER.test(name) && ADDRESS_VALUE.test(value)) ||
    EMPTY_VALUE.test(value) ||
    (VIEW_PARAMETER.test(name) && NUMBERS_ONLY.test(value)) ||
    (value === "" && (isFunctionParameter(name) || SEARCH_PARAMETER.test(name)))
      ? []
      : [{ name, value, masked: maskSegment(value).text }],
  );
}

/**
 * Returns a text that is equal for addresses of one screen that differ only in parameters such as the order and the
 * length of a list: `/projects` and `/projects?limit=10&offset=0` of doccano, `/archive?sort=createdAt` and
 * `/archive?sort=lastSeenAt` of Unleash.
 *
 * @param address the parsed `url`, without folders that take no part in the comparison
 */
export function exactAddress(url: string, { host, path, query }: ScreenAddress): string {
  const parameters = query.map(({ name, value }) => `${name}=${value}`);
  const [own = "", route = ""] = url.split("#");
  const selecting = [own, route].flatMap((part) => {
    const search = part.includes("?") ? part.slice(part.indexOf("?")) : "";
    const all = [...new URLSearchParams(search.replace(OTHER_SEPARATOR, "&"))];
    return all.filter(([name, value]) => SELECTING[name.toLowerCase()]?.test(value));
  });
  const selected = selecting.map((parameter) => parameter.join("=")).sort();
  return [host, ...path.map(({ value }) => value), "?", ...parameters, ...selected].join("\n");
}
