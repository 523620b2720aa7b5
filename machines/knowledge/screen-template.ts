/**
 * What the addresses of one screen's instances have in common, as URL patterns with named parameters:
 * `/orders/17` and `/orders/18` become `^https?://…/orders/(?P<order>\d+)/?…$`. An instance that was never visited
 * matches, too.
 */
import { type AddressPosition, addressOf, type ScreenAddress } from "./screen-address.ts";
import { escapePattern, matchGroups, specificPattern } from "./url-pattern.ts";

/** Patterns of one screen, those of most instances first. */
const MOST_PATTERNS = 8;

/** The patterns of a screen with these instances. One instance without numbers has its own address only. */
export function templatePatterns(urls: readonly string[]): readonly string[] {
  const [only, ...others] = urls;
  if (only !== undefined && others.length === 0) return [specificPattern(only)];
  const shapes = new Map<string, { readonly addresses: ScreenAddress[]; readonly url: string }>();
  for (const url of urls) {
    const address = addressOf(url);
    if (!address) continue;
    const key = [address.host, address.path.length, ...address.query.map(({ name }) => name)].join("\n");
    const shape = shapes.get(key);
    if (shape) shape.addresses.push(address);
    else shapes.set(key, { addresses: [address], url });
  }
  return [...shapes.values()]
    .sort((a, b) => b.addresses.length - a.addresses.length || (a.url < b.url ? -1 : 1))
    .slice(0, MOST_PATTERNS)
    .map(({ addresses }) => patternOf(addresses));
}

/** The parameters of an address of a screen; empty when no pattern names any. */
export function templateParameters(
  patterns: readonly string[],
  url: string,
): Readonly<Record<string, string>> {
  for (const pattern of patterns) {
    const groups = matchGroups(pattern, url);
    if (groups)
      return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decoded(value)]));
  }
  return {};
}

/** A short form for people: `/orders/{order}`. */
export function templateText(urls: readonly string[]): string {
  const addresses = urls.flatMap((url) => addressOf(url) ?? []);
  const [first] = addresses;
  if (!first) return urls[0] ?? "";
  const path = first.path.map((_, at) => {
    const values = valuesAt(addresses, (address) => address.path[at]);
    return values.size > 1 ? `{${parameterName(first.path, at)}}` : (first.path[at]?.value ?? "");
  });
  const query = first.query.map(({ name }, at) => {
    const values = valuesAt(addresses, (address) => address.query[at]);
    return `${name}=${values.size > 1 ? `{${name}}` : (first.query[at]?.value ?? "")}`;
  });
  return `/${path.join("/")}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

/** The words that the addresses share, in order: `comment flag create` of `/comment/flag/{n}/create`. */
export function commonWords(urls: readonly string[]): readonly string[] {
  const addresses = urls.flatMap((url) => addressOf(url) ?? []);
  const [first] = addresses;
  if (!first) return [];
  const same = ({ path }: ScreenAddress) => path.length === first.path.length;
  const literal = first.path.flatMap(({ value }, at) =>
    addresses.filter(same).every((address) => address.path[at]?.value === value) ? [value] : [],
  );
  const verbs = first.query.flatMap(({ name, value }, at) =>
    addresses.every((address) => address.query[at]?.name === name && address.query[at]?.value === value)
      ? [value]
      : [],
  );
  return [...literal, ...verbs].map(decoded);
}

function valuesAt(
  addresses: readonly ScreenAddress[],
  position: (address: ScreenAddress) => AddressPosition | undefined,
): ReadonlySet<string> {
  return new Set(addresses.flatMap((address) => position(address)?.value ?? []));
}

/** The pattern of addresses with the same number of segments and the same parameters. */
function patternOf(addresses: readonly ScreenAddress[]): string {
  const [first] = addresses;
  if (!first) return "";
  const names = new Set<string>();
  const slot = (
    at: number,
    positions: (address: ScreenAddress) => readonly AddressPosition[],
    end: string,
  ) => {
    const values = valuesAt(addresses, (address) => positions(address)[at]);
    const [only] = values;
    if (values.size <= 1) return escapePattern(only ?? "");
    const digits = [...values].every((value) => /^\d+$/.test(value));
    const wanted = parameterName(positions(first), at);
    let name = wanted;
    for (let number = 2; names.has(name); number++) name = `${wanted}_${number}`;
    names.add(name);
    return `(?P<${name}>${digits ? "\\d" : end}+)`;
  };
  let text = `^https?://${escapePattern(first.host)}`;
  for (const [at, { value }] of first.path.entries()) {
    text += value === "#" ? "/?#!?" : `/${slot(at, ({ path }) => path, "[^/?#]")}`;
  }
  text += "/?";
  if (first.query.length === 0) return `${text}(?:\\?[^#]*)?$`;
  // In any order, as lookaheads.
  const query = first.query.map(({ name }, at) => {
    const value = slot(at, (address) => address.query, "[^&#]");
    return `(?=(?:[^#]*&)?${escapePattern(name)}=${value}(?:[&#]|$))`;
  });
  return `${text}\\?${query.join("")}[^#]*$`;
}

/** The name of a parameter: that of the query, else of the collection before it. */
function parameterName(positions: readonly AddressPosition[], at: number): string {
  const own = positions[at]?.name ?? "";
  const before =
    own === "" ? positions.slice(0, at).findLast(({ value }) => /^[a-z][a-z_-]+$/i.test(value)) : undefined;
  const direct = before !== undefined && positions[at - 1] === before;
  const word = own === "" ? (direct ? singular(before.value) : "name") : own;
  const name = word
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[_\d]+|_+$/g, "");
  return name === "" ? "name" : name;
}

/** Plurals that names of collections have, without an ending. */
const IRREGULAR: Readonly<Record<string, string>> = {
  people: "person",
  children: "child",
  men: "man",
  women: "woman",
};

/** An English plural as a singular: `categories` → `category`. Other words stay. */
export function singular(word: string): string {
  const irregular = IRREGULAR[word.toLowerCase()];
  if (irregular !== undefined) return irregular;
  if (/(?:ss|us|is|news|series)$/i.test(word) || word.length < 4) return word;
  if (/ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|ch|sh)es$/i.test(word)) return word.slice(0, -2);
  return /s$/i.test(word) ? word.slice(0, -1) : word;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A broken escape stays as it is.
  }
}
