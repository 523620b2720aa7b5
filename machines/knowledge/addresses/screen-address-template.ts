/**
 * Derives address templates and URL patterns from the addresses of a screen's instances. `/orders/17` and
 * `/orders/18` have the template `/orders/{order}` and a pattern with `(\d+)`, which also matches instances
 * that were never visited. The groups of the pattern have no names, because Python and JavaScript write named
 * groups differently.
 */
import { percentDecoded } from "../../percent-decoding.ts";
import { type AddressPosition, addressOf, type ScreenAddress } from "./page-address-parts.ts";
import { escapePattern, matchGroups, specificPattern } from "./screen-url-pattern.ts";

/**
 * Maximum number of address templates of one screen. The templates that fit the most pages (instances) are
 * kept.
 */
const MOST_TEMPLATES = 8;

export interface ScreenTemplate {
  readonly pattern: string;
  /**
   * The template in readable form, such as `/orders/{order}`. Each name in braces stands for a group of
   * `pattern`, in the same order.
   */
  readonly template: string;
}

/**
 * Returns the address templates of a screen. When the screen has only one page (instance), the page's address
 * is the only template.
 */
export function templatesOf(urls: readonly string[]): readonly ScreenTemplate[] {
  const [only, ...others] = urls;
  if (only !== undefined && others.length === 0) {
    return [{ pattern: specificPattern(only), template: URL.parse(only)?.pathname ?? only }];
  }
  const shapes = new Map<string, ScreenAddress[]>();
  for (const url of urls) {
    const address = addressOf(url);
    if (!address) continue;
    const key = [address.host, address.path.length, ...address.query.map(({ name }) => name)].join("\n");
    const shape = shapes.get(key);
    if (shape) shape.push(address);
    else shapes.set(key, [address]);
  }
  return [...shapes.values()]
    .map((addresses) => ({ ...templateOf(addresses), count: addresses.length }))
    .sort((a, b) => b.count - a.count || (a.template < b.template ? -1 : 1))
    .slice(0, MOST_TEMPLATES)
    .map(({ pattern, template }) => ({ pattern, template }));
}

/**
 * Returns the values of the variable parts of an address, by name; empty when no pattern matches the address.
 */
export function templateParameters(
  {
    url_patterns,
    templates,
  }: { readonly url_patterns: readonly string[]; readonly templates: readonly string[] },
  url: string,
): Readonly<Record<string, string>> {
  for (const [at, pattern] of url_patterns.entries()) {
    const values = matchGroups(pattern, url);
    if (!values) continue;
    const names = [...(templates[at] ?? "").matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    return Object.fromEntries(names.map((name, index) => [name, percentDecoded(values[index] ?? "")]));
  }
  return {};
}

/** Returns the address template that fits most of the given addresses. */
export function templateText(urls: readonly string[]): string {
  return templatesOf(urls)[0]?.template ?? "";
}

/**
 * Returns the path segments and the parameter values that all addresses share, in order. The result for
 * `/comment/flag/{n}/create` is `comment flag create`.
 */
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
  return [...literal, ...verbs].map(percentDecoded);
}

function valuesAt(
  addresses: readonly ScreenAddress[],
  position: (address: ScreenAddress) => AddressPosition | undefined,
): ReadonlySet<string> {
  return new Set(addresses.flatMap((address) => position(address)?.value ?? []));
}

/**
 * Returns the template that fits all given addresses. They have the same number of segments and the same
 * parameters.
 */
function templateOf(addresses: readonly ScreenAddress[]): ScreenTemplate {
  const [first] = addresses;
  if (!first) return { pattern: "", template: "" };
  const names = new Set<string>();
  const slot = (values: ReadonlySet<string>, wanted: string, any: string) => {
    const [only = ""] = values;
    if (values.size <= 1) return { pattern: escapePattern(only), template: only };
    const ending = commonEnding(values);
    const digits = [...values].every((value) => /^\d+$/.test(value.slice(0, value.length - ending.length)));
    let name = wanted;
    for (let number = 2; names.has(name); number++) name = `${wanted}_${number}`;
    names.add(name);
    return { pattern: `(${digits ? "\\d" : any}+)${escapePattern(ending)}`, template: `{${name}}${ending}` };
  };
  let pattern = `^https?://${escapePattern(first.host)}`;
  let template = "";
  for (const [at, { value }] of first.path.entries()) {
    if (value === "#") {
      pattern += "/?#!?";
      template += "/#";
      continue;
    }
    const values = valuesAt(addresses, (address) => address.path[at]);
    const part = slot(values, parameterName(addresses, at), "[^/?#]");
    pattern += `/${part.pattern}`;
    template += `/${part.template}`;
  }
  pattern += "/?";
  template ||= "/";
  if (first.query.length === 0) return { pattern: `${pattern}(?:\\?[^#]*)?$`, template };
  // Each parameter has a lookahead in the pattern, so the parameters of an address may be in any order.
  const query = first.query.map(({ name }, at) => {
    const part = slot(
      valuesAt(addresses, (address) => address.query[at]),
      plainName(name),
      "[^&#]",
    );
    return {
      pattern: `(?=(?:[^#]*&)?${escapePattern(name)}=${part.pattern}(?:[&#]|$))`,
      template: `${name}=${part.template}`,
    };
  });
  return {
    pattern: `${pattern}\\?${query.map((part) => part.pattern).join("")}[^#]*$`,
    template: `${template}?${query.map((part) => part.template).join("&")}`,
  };
}

/**
 * Returns the name of a variable path segment: the singular of the segment before it, such as `order` for
 * `17` in `/orders/17`.
 */
function parameterName(addresses: readonly ScreenAddress[], at: number): string {
  const before = valuesAt(addresses, ({ path }) => path[at - 1]);
  const [collection = ""] = before;
  return before.size === 1 && /^[a-z][a-z_-]+$/i.test(collection) ? plainName(singular(collection)) : "name";
}

function plainName(word: string): string {
  return (
    word
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "_")
      .replace(/^[_\d]+|_+$/g, "") || "name"
  );
}

/** Returns the file extension that all given values share, including its dot. */
function commonEnding(values: ReadonlySet<string>): string {
  const endings = new Set([...values].map((value) => /\.[a-z]{2,5}$/i.exec(value)?.[0] ?? ""));
  const [ending = ""] = endings;
  return endings.size === 1 ? ending : "";
}

/** Irregular plurals that are common as names of collections, with their singulars. */
const IRREGULAR: Readonly<Record<string, string>> = {
  people: "person",
  children: "child",
  men: "man",
  women: "woman",
};

/** Converts an English plural to its singular: `categories` → `category`. Other words stay unchanged. */
export function singular(word: string): string {
  const irregular = IRREGULAR[word.toLowerCase()];
  if (irregular !== undefined) return irregular;
  if (/(?:ss|us|is|news|series)$/i.test(word) || word.length < 4) return word;
  if (/ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|ch|sh)es$/i.test(word)) return word.slice(0, -2);
  return /s$/i.test(word) ? word.slice(0, -1) : word;
}

/** Converts an English noun to its plural: `category` → `categories`. A word that ends with `s` stays unchanged. */
export function plural(word: string): string {
  if (/s$/i.test(word)) return word;
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:x|ch|sh)$/i.test(word) ? `${word}es` : `${word}s`;
}
