/** Names of icons, for elements without text: from attributes, SVG symbols, classes of icon fonts and file names. */
export interface Icons {
  /** The icon's name in words, such as `trash` or `chevron down`; empty where it has no known name. */
  nameOf(element: Element): string;
  /** Text from `::before` and `::after`, without characters of icon fonts. */
  generatedText(element: Element): string;
}

const INNER_MOST = 12;
const NAME_MOST = 40;
const NAMING = ["data-icon", "data-lucide", "data-feather", "icon", "icon-name"];
const TEST_ID = /^(\w+?)[-_]?icon$/i;
/** Classes that style an icon and do not name it. */
const LOOKS =
  /^(solid|regular|light|thin|duotone|brands|sharp|outlined?|rounded|filled?|fw|xs|sm|md|lg|xl|small|medium|large|\d*x?[sl]?|spin|pulse|inverse|hidden|active|disabled|wrapper|button|svg|inline|size|color|font|[a-z]*\d+)$/;
const FONT = /^"[\ue000-\uf8ff\u{f0000}-\u{10fffd}]+"$/u;
const ADDRESS = /url\("?(?!data:)[^")]*?([^/")]+)\.\w+(?:[?#][^")]*)?"?\)/;
const SHEETS = /sprite|icons?$|glyphs?/i;

/** `ChevronDown`, `chevron_down` and `chevron-down` give the same words. */
const words = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !/^(icons?|ico)$/i.test(word))
    .join(" ")
    .toLowerCase()
    .slice(0, NAME_MOST);

const isDrawn = (element: Element): boolean =>
  /^(i|svg)$/.test(element.localName) ||
  FONT.test(getComputedStyle(element, "::before").content) ||
  FONT.test(getComputedStyle(element, "::after").content);

/**
 * Class of an icon font: the family as a class of its own (`mdi mdi-pencil`) or as a prefix (`icon-pencil`,
 * `ri-pencil-line`).
 */
const byClass = (element: Element): string => {
  const names = [...element.classList];
  for (const name of names) {
    const family = names.find((one) => one !== name && name.startsWith(`${one}-`));
    const [first = "", ...rest] = name.split("-");
    const icon = /^(icon|ico)$/i.test(rest.at(-1) ?? "") ? name : undefined;
    const own = family ? name.slice(family.length + 1) : (icon ?? (first.length <= 5 ? rest.join("-") : ""));
    const said = words(own);
    if (/\p{L}/u.test(said) && !LOOKS.test(said)) return said;
  }
  return "";
};

const byAttribute = (element: Element): string => {
  const names =
    element.localName.includes("-") && /icon/.test(element.localName) ? [...NAMING, "name"] : NAMING;
  for (const name of names) {
    const value = element.getAttribute(name);
    // A set and a name: `mdi:pencil`.
    const said = words(value?.split(":").at(-1) ?? "");
    if (said !== "") return said;
  }
  const [, tested] = TEST_ID.exec(element.getAttribute("data-testid") ?? "") ?? [];
  if (tested !== undefined) return words(tested);
  if (element.localName !== "use") return "";
  const address = element.getAttribute("href") ?? element.getAttribute("xlink:href") ?? "";
  return words(address.split("#").at(1) ?? "");
};

const byFile = (element: Element): string => {
  const source =
    element instanceof HTMLImageElement
      ? `url("${element.getAttribute("src") ?? ""}")`
      : getComputedStyle(element).backgroundImage;
  const [, name = ""] = ADDRESS.exec(source) ?? [];
  return SHEETS.test(name) || /\d{3}|[\da-f]{8}/.test(name) ? "" : words(name);
};

export const icons: Icons = {
  nameOf(element) {
    const parts = [element, ...[...element.querySelectorAll("*")].slice(0, INNER_MOST)];
    for (const way of [byAttribute, (part: Element) => (isDrawn(part) ? byClass(part) : ""), byFile]) {
      for (const part of parts) {
        const said = way(part);
        if (said !== "") return said;
      }
    }
    return "";
  },

  generatedText: (element) =>
    ["::before", "::after"]
      .map((part) => /^"([^"]*)"$/.exec(getComputedStyle(element, part).content)?.[1] ?? "")
      .filter((text) => /\p{L}/u.test(text))
      .join(" "),
};
