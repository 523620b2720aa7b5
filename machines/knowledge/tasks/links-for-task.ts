/**
 * Chooses the links that may lead to the form of a task, by their texts and addresses: "Create a new voucher" or
 * the list "Vouchers" for "create a voucher". No page behind the links needs to be known.
 */
import { isWritingAddressOfSession, riskOf } from "../../risk/risk-classes.ts";
import { addressOf, type ScreenAddress } from "../addresses/page-address-parts.ts";
import {
  addressWords,
  operationOfName,
  stemsOf,
  type TaskWords,
} from "../screens/operation-and-thing-of-task.ts";

/** A link of a page. */
export interface OfferedLink {
  /** The complete address of the link's target. */
  readonly url: string;
  readonly text: string;
  /** HTML attributes of the link, by which a link that changes data is recognised. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** What a page is about, according to the links that lead to it and to its own title. */
export interface PageSubject {
  readonly url: string;
  /** Stems of the words in the page's title and in its address. */
  readonly words: ReadonlySet<string>;
  /** The object that the task names, if the page belongs to this object. */
  readonly object: NamedObject | undefined;
}

/** An object that a task names, such as the quota "Merchandise". */
export interface NamedObject {
  readonly url: string;
  readonly name: string;
}

export interface LinkForTask {
  readonly url: string;
  readonly text: string;
  /** How likely the link leads to the form; higher is better. The integer part is one of `RANK`. */
  readonly rank: number;
  /** The object that the task names, if the link belongs to this object. */
  readonly object: NamedObject | undefined;
}

export interface LinksForTask {
  /** The links that may be opened, best first. */
  readonly open: readonly LinkForTask[];
  /** Links that fit the task, but may change data when they are opened. */
  readonly risky: readonly LinkForTask[];
  /** Links that fit the task equally well, although each belongs to another object. */
  readonly unclear: readonly LinkForTask[];
}

/** Ranks of links: the higher, the more likely the link leads to the form of the task. */
export const RANK = {
  /** Rank of a link with some words of the thing, such as "Taxes" for a tax rule. */
  related: 1,
  /** Rank of a link to a list of the things, such as "Vouchers". */
  list: 2,
  /** Rank of a link that names only the operation, such as "New" on the page "Vouchers". */
  operation: 3,
  /** Rank of a link that names the object of the task, such as "Merchandise" on the page "Quotas". */
  object: 4,
  /** Rank of a link that names the operation and the thing, such as "Create a new voucher". */
  direct: 5,
} as const;

/** Returns the links of a page that may lead to the form of a task. */
export function linksForTask(
  links: readonly OfferedLink[],
  words: TaskWords,
  page: PageSubject,
): LinksForTask {
  const placeOf = placesOfUrls();
  const objects = links
    .filter((link) => namesObject(link, words))
    .map((link) => ({ url: link.url, name: textOf(link) }));
  const fitting = links.flatMap((link) => {
    const own = placeOf(link.url);
    const object = objects.find(({ url }) => isAtObject(own, placeOf(url))) ?? page.object;
    const found = linkForTask(link, words, { ...page, object });
    return found ? [{ link, found }] : [];
  });
  const isRisky = ({ link }: (typeof fitting)[number]): boolean =>
    isWritingAddressOfSession(link.url) ||
    riskOf({ name: withoutThings(link, words), attributes: { ...link.attributes, href: link.url } }) !==
      undefined;
  const safe = fitting.filter((one) => !isRisky(one)).map(({ found }) => found);
  const compared = safe.map((link) => comparedLink(link, placeOf(link.url)));
  const { true: unclear = [], false: open = [] } = Object.groupBy(compared, (one) =>
    String(isOfUnnamedObject(one.link, page) || compared.some((other) => isSibling(one, other))),
  );
  const sorted = (some: readonly ComparedLink[]): readonly LinkForTask[] =>
    some.map(({ link }) => link).sort((a, b) => byRank(a, b, words));
  return {
    open: sorted(open),
    risky: fitting.filter(isRisky).map(({ found }) => found),
    unclear: sorted(unclear),
  };
}

/** The parts of an address by which two links are compared. */
interface Place {
  readonly host: string;
  readonly path: readonly string[];
  readonly hasQuery: boolean;
  /** The parameters as text. */
  readonly query: string;
  readonly ids: readonly string[];
}

function placeOfUrl(url: string): Place | undefined {
  const address = addressOf(url);
  if (!address) return undefined;
  return {
    host: address.host,
    path: address.path.map(({ value }) => value),
    hasQuery: address.query.length > 0,
    query: JSON.stringify(address.query),
    ids: idsOf(address),
  };
}

/**
 * Returns a function like `placeOfUrl` that caches its results. Each link of a page is compared with all others, so
 * each address is needed many times.
 */
function placesOfUrls(): typeof placeOfUrl {
  const places = new Map<string, Place | undefined>();
  return (url) => {
    if (!places.has(url)) places.set(url, placeOfUrl(url));
    return places.get(url);
  };
}

/** A link with the data by which it is compared with other links. */
interface ComparedLink {
  readonly link: LinkForTask;
  readonly rank: number;
  readonly path: readonly string[];
  readonly pathText: string;
  readonly query: string;
  /** Stems of the link's text; empty if it has none. */
  readonly text: string;
  /** Words of the last part of the address, such as "vouchers" for `/north/vouchers`. */
  readonly last: string;
}

function comparedLink(link: LinkForTask, place: Place | undefined): ComparedLink {
  const path = place?.path ?? [];
  return {
    link,
    rank: Math.floor(link.rank),
    path,
    pathText: path.join("/"),
    query: place?.query ?? "",
    text: stemsOf(link.text).join(" "),
    last: addressWords(link.url).last.join(" "),
  };
}

/** Returns the text of a link; empty if the page has only its address as its text. */
const textOf = ({ url, text }: OfferedLink): string => (url.startsWith(text) ? "" : text);

/**
 * Returns the text of a link by which its risk is judged: without words for the thing, if the task creates or
 * edits the thing. For the task "create a reply", the link "Add reply" then does not count as one that
 * replies. A single word stays, because it may be a verb: "Publish" for the task "edit the publish date".
 */
function withoutThings(link: OfferedLink, { operation, things }: TaskWords): string {
  const text = textOf(link);
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== "");
  if ((operation !== "create" && operation !== "edit") || words.length < 2) return text;
  return words.filter((word) => !stemsOf(word).some((stem) => things.includes(stem))).join(" ");
}

/** Matches the names of icons of links that create something: a plus sign (Directus, the floating buttons of Material). */
const ADD_ICON = /^(?:add|plus)(?: (?:circle|square|box|thick|lg|large|outlined?))*$/u;

/** Whether a link shows nothing but a plus sign. */
const isAddIcon = (link: OfferedLink): boolean =>
  textOf(link) === "" && ADD_ICON.test(link.attributes?.icon ?? "");

/** Whether the text or the address of a link names the object of the task. */
function namesObject(link: OfferedLink, { names }: TaskWords): boolean {
  const own = new Set([...stemsOf(textOf(link)), ...addressWords(link.url).all]);
  return names.length > 0 && names.every((word) => own.has(word));
}

/**
 * Returns a link with its rank. Returns `undefined` if it does not fit the task.
 *
 * @param page the page with the link; its `object` is the object of the task to which the link or the page
 * belongs
 */
function linkForTask(link: OfferedLink, words: TaskWords, page: PageSubject): LinkForTask | undefined {
  const { url } = link;
  const text = textOf(link);
  const { operation, things, head, names } = words;
  const own = new Set(stemsOf(text));
  const address = addressWords(url);
  const about = new Set([...own, ...address.last]);
  // Whether the link leads to the list that the page itself shows, but with another filter.
  const isFilter =
    pathOf(url).join("/") === pathOf(page.url).join("/") && operationOfName(text) === undefined;
  // An address such as `/orders/17` has the operation "edit", although the link may only show the object. So
  // its operation does not count.
  const offered =
    operationOfName(text) ?? (isAddIcon(link) ? "create" : address.isObject ? undefined : address.operation);
  const isNamed = namesObject(link, words);
  // A link to an object may lead directly to the form that edits it, as `/queues/3/change` in Django's
  // administration. It still counts as a link to the object.
  const isObject = isNamed && operationOfName(text) === undefined && address.operation !== "remove";
  if (offered !== undefined && operation !== undefined && offered !== operation && !isObject)
    return undefined;
  if (offered === "remove" && operation === undefined) return undefined;
  const isThing = head === undefined || about.has(head);
  const isPageOfThing = head === undefined || page.words.has(head);
  const share = things.filter((word) => about.has(word)).length / Math.max(1, things.length);
  const isAllowed = names.length === 0 || isNamed || page.object !== undefined;
  const rankOf = (): number | undefined => {
    if (isObject && (isThing || isPageOfThing)) return RANK.object;
    if (offered !== undefined && isAllowed && isThing) return RANK.direct;
    if (offered !== undefined) return isAllowed && isPageOfThing ? RANK.operation : undefined;
    if (isFilter) return undefined;
    // Two kinds of links do not fit: those without a word for the thing of the task, such as "voucher", and those to
    // an object that the task does not name.
    if (share === 0 || (names.length > 0 && address.isObject)) return undefined;
    return isThing ? RANK.list : RANK.related;
  };
  const rank = rankOf();
  // Only half of the share is added, so that a share of 1 does not raise the rank to the next one.
  return rank === undefined ? undefined : { url, text, rank: rank + share / 2, object: page.object };
}

function byRank(a: LinkForTask, b: LinkForTask, words: TaskWords): number {
  const known = new Set([...words.things, ...words.names]);
  const others = ({ text }: LinkForTask): number => stemsOf(text).filter((word) => !known.has(word)).length;
  return b.rank - a.rank || others(a) - others(b) || a.url.length - b.url.length;
}

/**
 * Whether a link leads to an object that the task does not name and that is not the object of the page. An
 * example is the user who was added last, in a list of recent actions.
 */
function isOfUnnamedObject({ url, object }: LinkForTask, page: PageSubject): boolean {
  const [own, shown] = [addressOf(url), addressOf(page.url)];
  if (object !== undefined || !own) return false;
  const known = new Set(shown ? idsOf(shown) : []);
  return idsOf(own).some((id) => !known.has(id));
}

/**
 * Whether two links of a page do the same for two objects. Either their texts are equal and their paths
 * differ, or their paths have the same length and the same last word, as `/north/vouchers` and
 * `/south/vouchers` do.
 */
function isSibling(one: ComparedLink, other: ComparedLink): boolean {
  if (one.rank !== other.rank) return false;
  const isSameText = one.link.text !== "" && one.text === other.text;
  // Two addresses with the same path lead to two objects if their queries differ, as `?id=1` and `?id=2` do.
  // Parameters that only sort a list are not in `query`.
  if (one.pathText === other.pathText) return isSameText && one.query !== other.query;
  return isSameText || (one.path.length === other.path.length && one.last !== "" && one.last === other.last);
}

const pathOf = (url: string): readonly string[] => (addressOf(url)?.path ?? []).map(({ value }) => value);

/**
 * Whether an address belongs to the object at another address. Either it continues the path of the object, as
 * `/quotas/2/change` continues `/quotas/2`, or it contains the last id of the object, as `/edit?id=2` does
 * for `/show?id=2`.
 */
export function isOfObject(url: string, object: string): boolean {
  return isAtObject(placeOfUrl(url), placeOfUrl(object));
}

function isAtObject(own: Place | undefined, of: Place | undefined): boolean {
  if (!own || !of || own.host !== of.host) return false;
  if (!of.hasQuery && of.path.every((value, at) => own.path[at] === value)) return true;
  const id = of.ids.at(-1);
  return id !== undefined && own.ids.includes(id);
}

/** Returns the ids in an address, each with the path segment or the name of the parameter before it. */
function idsOf({ path, query }: ScreenAddress): readonly string[] {
  const named = [
    ...path.map(({ value }, at) => [path[at - 1]?.value ?? "", value] as const),
    ...query.map(({ name, value }) => [name, value] as const),
  ];
  return named.flatMap(([name, value]) => (/\d/.test(value) ? [`${name}=${value}`] : []));
}
