/**
 * In the page: what is drawn on an element that says nothing else, such as a button with a waste basket.
 *
 * Whoever made a picture gave it a name, in one of the ways that icons come in: an attribute, a symbol, a class of an icon
 * font, a file. Sent as its own source. Neighbour: `recorder.ts` asks where an element has no words, by `readings.ts`.
 */
export interface Icons {
  /** What its picture is called: words such as `trash` or `chevron down`; empty where nobody can tell. */
  nameOf(element: Element): string;
  /** Words that a style sheet puts into it; what fonts draw as icons is none. */
  generatedText(element: Element): string;
}

const INNER_MOST = 12;
const NAME_MOST = 40;
const NAMING = ["data-icon", "data-lucide", "data-feather", "icon", "icon-name"];
const TEST_ID = /^(\w+?)[-_]?icon$/i;
/** What of a class says how an icon is drawn, and not which it is. */
const LOOKS =
  /^(solid|regular|light|thin|duotone|brands|sharp|outlined?|rounded|filled?|fw|xs|sm|md|lg|xl|small|medium|large|\d*x?[sl]?|spin|pulse|inverse|hidden|active|disabled|wrapper|button|svg|inline|size|color|font|[a-z]*\d+)$/;
const FONT = /^"[\ue000-\uf8ff\u{f0000}-\u{10fffd}]+"$/u;
const ADDRESS = /url\("?(?!data:)[^")]*?([^/")]+)\.\w+(?:[?#][^")]*)?"?\)/;
const SHEETS = /sprite|icons?$|glyphs?/i;

/** `ChevronDown`, `chevron_down` and `chevron-down` alike. */
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

/** Of an icon font: a family beside an icon of it (`mdi mdi-pencil`), or both in one (`icon-pencil`, `ri-pencil-line`). */
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
    // A set and an icon of it: `mdi:pencil`.
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
