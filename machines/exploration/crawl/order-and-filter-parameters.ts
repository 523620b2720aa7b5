/**
 * Recognises query parameters that choose the order, the length or a filter of a list. Addresses with only such
 * parameters show one list again, so a crawl reads few of them. A parameter for a page of the list is not among them,
 * because each page shows further entries.
 */
import { percentDecoded } from "../../percent-decoding.ts";

export interface QueryParameter {
  readonly name: string;
  readonly value: string;
}

/** Values that say a direction: `_od_UserView=asc` (Flask-AppBuilder), `sord=desc` (jqGrid), `direction=DESC` (Rails). */
const DIRECTION = /^(?:asc|desc|ascending|descending|ascend|descend)$/i;
/**
 * Matches names of parameters that choose the order of a list alone, without a parameter for the direction, such as
 * `order[]`.
 */
const ORDER =
  /^_?(?:sort(?:s|ed|ing)?|order(?:ing)?)(?:[-_]?(?:by|on|key|col(?:umn)?|field|order|dir|direction|asc|desc))?(?:\[\w*\])*$/i;
/**
 * Matches the name of a parameter for the column by which a list is sorted, such as `iSortCol_0` (DataTables). The
 * name counts only if the address also has a parameter for the direction.
 */
const COLUMN = /sort|order|sidx|(?:^|[-_[])(?:col(?:umn)?|key|field)(?:$|[-_\]\d])/i;
/**
 * A parameter for a column and the parameter for its direction belong together if their names end in the same
 * characters: `_oc_UserView` and `_od_UserView`. This is the number of compared characters.
 */
const COMMON_END = 4;
/** Matches the order of Django's administration: the numbers of the columns, as in `?o=1.-2`. */
const COLUMN_NUMBERS = /^-?\d{1,2}(?:\.-?\d{1,2})*$/;
/** Matches names of parameters for the number of entries, such as `per_page` and `psize_UserView` (Flask-AppBuilder). */
const SIZE =
  /^_?(?:p(?:age)?[-_]?(?:size|len(?:gth)?|limit)|(?:items?|results?|entries|rows)?[-_]?per[-_]?page|limit)(?:[-_]\w+)?$/i;
/**
 * Matches a value with a digit, such as 1042 in `?order=1042` of a shop. Such a value is the number or code of an
 * item, and not the name of a column.
 */
const ITEM = /\d/;
/** Numbers of entries that applications offer for a page of a list. */
const SIZES = new Set("5 10 15 20 25 30 40 50 60 75 80 100 150 200 250 500 1000 all".split(" "));
/**
 * Matches names of filters: `_flt_3_name` (Flask-AppBuilder), `filter[state]` (JSON:API, Directus), `q[name_eq]` (Ransack
 * of Rails), `status__exact` (Django).
 */
const FILTER =
  /^(?:_flt_\d+_\w+|filters?\[.+|q\[\w+\]|\w+__(?:exact|iexact|in|isnull|gte?|lte?|i?contains|range))$/i;
/**
 * Matches names of parameters that choose a page of a list. On a page with several lists, they contain the name of a
 * list: `page_UserView`, `users-page`.
 */
const PAGING =
  /^_?(?:(?:\w+[-_])?page(?:num|[-_]?(?:number|num|no)|[-_](?!id$|size|len|limit)\w+)?|pg|p|offset|start|skip|cursor|from|after|before)$/i;

/**
 * Matches names of parameters whose values count pages, such as `page`. The values of `offset` and `start`
 * count entries.
 */
const PAGE_COUNT = /page|^_?pg?$/i;

/**
 * Whether a parameter chooses the first page of a list.
 *
 * @param hasSize whether the address also has a parameter for the length of the list. If it has, page 1 is the first
 * page: applications lead to it when another length is chosen (`page_size=50&page=1` of pretix and pretalx,
 * `page=1&per-page=20` of Yii). If not, the result is false: page 1 may be the second page, because some applications
 * count from 0.
 */
function isFirstPage({ name, value }: QueryParameter, hasSize: boolean): boolean {
  return (
    hasSize &&
    (value === "0" || (value === "1" && PAGE_COUNT.test(name) && !isPageOfNamedList({ name, value })))
  );
}

/** Whether a parameter chooses a page of a list, and its name contains the name of the list: `page_UserView=2`. */
export function isPageOfNamedList({ name, value }: QueryParameter): boolean {
  return /^(?:page_(?!id$)\w+|\w+[-_]page)$/i.test(name) && /^\d{1,6}$/.test(value);
}

/** Returns a function that tells whether a parameter of an address chooses the order or the length of a list. */
export function orderOrSizeOf(parameters: readonly QueryParameter[]): (parameter: QueryParameter) => boolean {
  const directions = parameters.filter(({ value }) => DIRECTION.test(value)).map(({ name }) => name);
  return ({ name, value }) => {
    if (DIRECTION.test(value)) return true;
    if (SIZE.test(name) && SIZES.has(value.toLowerCase())) return true;
    if (/^o$/i.test(name)) return COLUMN_NUMBERS.test(value);
    if (ORDER.test(name)) return !(/^_?order$/i.test(name) && ITEM.test(value));
    return directions.some((direction) => COLUMN.test(name) || (isWord(value) && endAlike(name, direction)));
  };
}

const isWord = (value: string): boolean => /^\p{L}[\p{L}\d_.]*$/u.test(value);

function endAlike(name: string, direction: string): boolean {
  return name !== direction && name.slice(-COMMON_END) === direction.slice(-COMMON_END);
}

/**
 * Whether an address orders a list by a column and a direction, and shows its first page. All other parameters are
 * ignored: `user_id=2&order=projects.id&direction=ASC&page=1` (Kanboard), `id=4&sort=name&direction=asc` (CakePHP).
 */
export function isOrderedList(parameters: readonly QueryParameter[]): boolean {
  return (
    parameters.some(({ value }) => DIRECTION.test(value)) &&
    parameters.some(({ name, value }) => COLUMN.test(name) && isWord(value) && !DIRECTION.test(value)) &&
    parameters.every(({ name, value }) => !PAGING.test(name) || !/^\d+$/.test(value) || Number(value) <= 1)
  );
}

/**
 * Returns what the parameters of an address choose: `filter` if all of them are filters, `order` if some choose the
 * order, the length or the first page of a list. Returns `undefined` if the address has any other parameter.
 */
export function listViewOf(written: readonly QueryParameter[]): "order" | "filter" | undefined {
  const parameters = written.map(({ name, value }) => ({
    name: percentDecoded(name),
    value: percentDecoded(value),
  }));
  if (parameters.length === 0) return undefined;
  const isOrder = orderOrSizeOf(parameters);
  const hasSize = parameters.some(({ name, value }) => SIZE.test(name) && SIZES.has(value.toLowerCase()));
  let filters = 0;
  for (const parameter of parameters) {
    const isPaging = PAGING.test(parameter.name) && !SIZE.test(parameter.name);
    if (isPaging && !isFirstPage(parameter, hasSize)) return undefined;
    if (isPaging) continue;
    if (isOrder(parameter)) continue;
    if (!FILTER.test(parameter.name)) return undefined;
    filters += 1;
  }
  return filters === parameters.length ? "filter" : "order";
}
