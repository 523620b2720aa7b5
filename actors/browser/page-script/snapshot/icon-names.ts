/**
 * Finds names of icons for elements without text: from attributes, SVG symbols, classes of icon fonts and
 * file names.
 */
import { ICON_NAME_ATTRIBUTES } from "../../../../machines/session/controls/attributes-with-icon-name.ts";

/** Maximum number of an element's descendants that are searched for an icon. */
const MAX_PARTS = 12;
/** Maximum number of characters of an icon's name. */
const MAX_NAME_LENGTH = 40;
/**
 * Maximum length of a word in a class name that is taken as the prefix of an icon library, such as `p` or
 * `el`.
 */
const MAX_PREFIX_LENGTH = 2;
/**
 * Further attributes in which custom elements for icons store the name of an icon: `shape` of Clarity,
 * `svgicon` and `data-mat-icon-name` of Angular Material.
 */
const COMPONENT_ATTRIBUTES = ["name", "shape", "svgicon", "data-mat-icon-name"];
/** Matches the attribute `data-testid` of an icon of Material UI, such as `DeleteIcon`, and captures the icon's name. */
const TEST_ID = /^(\w+?)[-_]?icon$/i;
/** Matches classes that style an icon but do not name it. */
const STYLE_CLASSES =
  /^(solid|regular|light|thin|duotone|brands|sharp|outlined?|rounded|filled?|fw|xs|sm|md|lg|xl|small|medium|large|\d*x?[sl]?|spin|pulse|inverse|hidden|active|disabled|wrapper|button|svg|inline|size|color|font|root|[a-z]*\d+)$/;
/** Matches classes that a script has generated for a style, such as `css-8mmkcg` (Emotion: Material UI, react-select). */
const GENERATED_CLASS = /^css-[\da-z]{5,8}(?:-\w+)?$/;
/** Matches the generated content of a pseudo-element that an icon font draws as an icon. */
const ICON_CONTENT = /^"[\ue000-\uf8ff\u{f0000}-\u{10fffd}]+"$/u;
/** Matches the file name in a CSS image, without its extension. */
const FILE_NAME = /url\("?(?!data:)[^")]*?([^/")]+)\.\w+(?:[?#][^")]*)?"?\)/;
/** Matches file names of sprites (one image with many icons). Such a name does not name a single icon. */
const SPRITE_FILE = /sprite|icons?$|glyphs?/i;
/**
 * Matches the hash that a build tool adds to a file name: `logo-CyD4qrZT` (Vite), `logo.5d5d9eef` (webpack),
 * `logo.5cebda677516` (Django). A word with a number at its end, such as `circle24`, is no hash.
 */
const BUILD_HASH = /[-._](?![a-z]+\d+$)(?=[A-Za-z]*\d|\w*[A-Z]{2})(?:[A-Za-z\d]{8}|[\da-f]{9,32})$/;

/**
 * Maximum length of the prefix of a class that names an icon or a control, such as `ql` in `ql-bold` (Quill)
 * and `owl` in `owl-prev` (Owl Carousel).
 */
const MAX_CLASS_PREFIX_LENGTH = 5;
/** Matches an attribute `class` that contains a single class with a short prefix, such as `ql-bold`. */
const SINGLE_CLASS = new RegExp(`^\\s*([a-z]{2,${MAX_CLASS_PREFIX_LENGTH}})-([a-z][\\w-]*)\\s*$`, "i");
/**
 * Matches a prefix of any length that names an icon font: `flaticon` in `flaticon-trash` (Flaticon),
 * `flaticon2` in `flaticon2-trash` (Metronic).
 */
const FONT_PREFIX = /icons?\d*$/i;
/**
 * Matches a BEM modifier in the name of a class, such as `--set`. A modifier usually names the style of the
 * icon.
 */
const MODIFIER = /--/;

/**
 * Matches the platform at the start of an icon's name, such as `md` in `md-menu` (Onsen UI) and `ios` in
 * `ios-search` (View UI). This prefix states the style of the icon and is no part of its name.
 */
const PLATFORM = /^(?:md|ios)[-_:\s](?=\p{L})/u;

/** Attribute in which swatches state their colour (Spectrum, jquery-simplecolorpicker). */
const COLOUR_ATTRIBUTE = "data-color";
/**
 * The background colour of a swatch may be set at the swatch or at a descendant. This is the maximum number
 * of levels at which the colour is searched for.
 */
const SWATCH_LEVELS = 3;
/** Matches an opaque colour as the style of an element states it, such as `rgb(217, 227, 240)`. */
const RGB = /^rgb\((\d+), (\d+), (\d+)\)$/;

/** Splits an icon's name into words. `ChevronDown`, `chevron_down` and `chevron-down` give the same words. */
const words = (name: string): string =>
  name
    .replace(PLATFORM, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !/^(icons?|ico)$/i.test(word))
    .join(" ")
    .toLowerCase()
    .slice(0, MAX_NAME_LENGTH);

const isDrawn = (element: Element): boolean =>
  /^(i|svg)$/.test(element.localName) ||
  ICON_CONTENT.test(getComputedStyle(element, "::before").content) ||
  ICON_CONTENT.test(getComputedStyle(element, "::after").content);

/** Whether a name consists only of words about style and of short prefixes, as in `p button`. */
const isStyle = (name: string): boolean =>
  STYLE_CLASSES.test(name) ||
  name.split(" ").every((word) => word.length <= MAX_PREFIX_LENGTH || STYLE_CLASSES.test(word));

/**
 * Returns the name of an icon from the classes of an icon font. In some fonts, one class names the font, and
 * its name is the prefix of the icon's class (`mdi mdi-pencil`). In other fonts, there is only the class of the
 * icon (`icon-pencil`, `ri-pencil-line`). Classes with a modifier, such as `v-icon--size-default`, are tried
 * last, because they usually name a style.
 */
const byClass = (element: Element): string => {
  const all = [...element.classList].filter((name) => !GENERATED_CLASS.test(name));
  const names = [...all.filter((name) => !MODIFIER.test(name)), ...all.filter((name) => MODIFIER.test(name))];
  const ownNames = [
    ...names.map((name) => {
      const family = names.find((text) => text !== name && name.startsWith(`${text}-`));
      return family === undefined ? "" : name.slice(family.length + 1);
    }),
    ...names.map((name) => {
      const [first = "", ...rest] = name.split("-");
      if (/^(icon|ico)$/i.test(rest.at(-1) ?? "")) return name;
      return first.length <= MAX_CLASS_PREFIX_LENGTH || FONT_PREFIX.test(first) ? rest.join("-") : "";
    }),
  ];
  return ownNames.map(words).find((name) => /\p{L}/u.test(name) && !isStyle(name)) ?? "";
};

const byAttribute = (element: Element): string => {
  const names =
    element.localName.includes("-") && /icon/.test(element.localName)
      ? [...ICON_NAME_ATTRIBUTES, ...COMPONENT_ATTRIBUTES]
      : ICON_NAME_ATTRIBUTES;
  for (const name of names) {
    const value = element.getAttribute(name);
    // The attribute's value may consist of the names of an icon set and an icon, as in `mdi:pencil`. Only the
    // icon's name is used.
    const found = words(value?.split(":").at(-1) ?? "");
    if (found !== "") return found;
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
  const [, file = ""] = FILE_NAME.exec(source) ?? [];
  const name = file.replace(BUILD_HASH, "");
  return SPRITE_FILE.test(name) || /\d{3}|[\da-f]{8}/.test(name) ? "" : words(name);
};

/**
 * Returns the name in the only class of a control, such as `bold` in `ql-bold`. The class counts as a name
 * only if a control beside it has a class with the same prefix and another name, such as `ql-italic`.
 * Otherwise it may only be a style.
 */
const byOwnClass = (element: Element): string => {
  const [, prefix = "", name = ""] = classPartsOf(element);
  if (prefix === "" || isStyle(words(name))) return "";
  const isOtherName = (sibling: Element): boolean => {
    const [, otherPrefix, other] = classPartsOf(sibling);
    return otherPrefix === prefix && other !== name;
  };
  return [...(element.parentElement?.children ?? [])].some(isOtherName) ? words(name) : "";
};

/**
 * Returns the match of `SINGLE_CLASS` for an element with a single class: the class, its prefix, and the rest
 * after the prefix. For any other element, the list is empty.
 */
const classPartsOf = (element: Element): readonly string[] =>
  SINGLE_CLASS.exec(element.getAttribute("class") ?? "") ?? [];

/**
 * Returns the background colour that a `style` attribute states: that of the element, or else that of its
 * first child, and so on.
 */
const backgroundOf = (element: Element): string => {
  let part: Element | null = element;
  for (let level = 0; part && level < SWATCH_LEVELS; level++, part = part.firstElementChild) {
    const colour = part instanceof HTMLElement ? part.style.backgroundColor : "";
    if (colour !== "") return colour;
  }
  return "";
};

/**
 * Returns the colour of a swatch: an element without text beside another one with another background colour
 * (Quill, Vuetify). A single element with a background colour may be anything.
 */
const byColour = (element: Element): string => {
  if (element.textContent.trim() !== "") return "";
  const named = element.getAttribute(COLOUR_ATTRIBUTE)?.trim() ?? "";
  if (named !== "") return named.slice(0, MAX_NAME_LENGTH).toLowerCase();
  const colour = backgroundOf(element);
  if (colour === "") return "";
  // Only the previous and the next sibling are read, because a grid may have thousands of coloured cells.
  const { parentElement: parent } = element;
  const box = parent?.childElementCount === 1 ? parent : element;
  const hasOtherColour = [box.previousElementSibling, box.nextElementSibling].some((sibling) => {
    const other = sibling ? backgroundOf(sibling) : "";
    return other !== "" && other !== colour;
  });
  if (!hasOtherColour) return "";
  const [, ...shares] = RGB.exec(colour) ?? [];
  if (shares.length === 0) return colour;
  return `#${shares.map((share) => Number(share).toString(16).padStart(2, "0")).join("")}`;
};

/** Returns the descendants of an element. A slot is followed by the elements that are rendered in it. */
const partsIn = (element: Element): readonly Element[] => {
  const parts: Element[] = [];
  const add = (part: Element): void => {
    if (parts.length >= MAX_PARTS) return;
    parts.push(part);
    addChildren(part);
  };
  const addChildren = (part: Element): void => {
    const slotted = part instanceof HTMLSlotElement ? part.assignedElements() : [];
    for (const child of slotted.length > 0 ? slotted : part.children) add(child);
  };
  addChildren(element);
  return parts;
};

/**
 * Returns the name of an element's icon in words, such as `trash` or `chevron down`. It is empty when no name
 * is known.
 */
export function nameOf(element: Element): string {
  const parts = [element, ...partsIn(element)];
  const byDrawnClass = (part: Element) => (isDrawn(part) ? byClass(part) : "");
  for (const find of [byAttribute, byDrawnClass, byFile]) {
    for (const part of parts) {
      const found = find(part);
      if (found !== "") return found;
    }
  }
  return byHost(element) || (parts.some(isDrawn) ? byOwnClass(element) : "") || byColour(element);
}

/**
 * Returns the icon of a component whose only button is drawn in its shadow root: `<mdui-button-icon icon="edit">`,
 * `<ui5-button icon="edit">`. The icon is then outside of the button.
 */
const byHost = (element: Element): string => {
  const root = element.getRootNode();
  if (!(root instanceof ShadowRoot) || root.querySelectorAll("button,a").length !== 1) return "";
  return byAttribute(root.host);
};

/** Returns the text of `::before` and `::after`, without the characters of icon fonts. */
export function generatedText(element: Element): string {
  return ["::before", "::after"]
    .map((part) => /^"([^"]*)"$/.exec(getComputedStyle(element, part).content)?.[1] ?? "")
    .filter((text) => /\p{L}/u.test(text))
    .join(" ");
}
