/**
 * In the page: what an element is, and how it is told from others.
 *
 * Sent as its own source. Neighbours: `registry.ts` numbers elements, `walker.ts` lists them, `hands.ts` compares what
 * an element is now with what it was when it was shown.
 */
import type { InteractionType } from "../../../../machines/session/analysis.ts";
import type { Registry } from "./registry.ts";

/** What an element was when it was shown: another one under the same node is not the same element. */
export interface Print {
  /** Its own tag, role, text and attributes by which things are told apart. */
  readonly own: string;
  /** The words around it, of the row, card or form that it belongs to. */
  readonly around: readonly string[];
}

export interface Describer {
  /** What it is for by itself; `weak` when only by a tabindex or a listener, which containers have as well. */
  kindOf(
    element: Element,
    tag: string,
  ): { readonly act: InteractionType; readonly weak: boolean } | undefined;
  /** CSS and XPath within the element's tree; kept for one look. */
  paths(): { selector(element: Element): string; xpath(element: Element): string };
  /** `text` of its surroundings is kept for one look. */
  prints(): (element: Element) => Print;
  same(then: Print, now: Print): boolean;
  labelsOf(element: Element): readonly Element[];
  /** While nothing can change: finds all labels at once, where asking each field for its own goes over all of them. */
  unchanged<Result>(work: () => Result): Result;
  collapsed(text: string, most: number): string;
}

export function makeDescriber(registry: Registry): Describer {
  const CLICKED = new Set(
    (
      "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option treeitem slider " +
      "combobox"
    ).split(" "),
  );
  /** Clickable only when something else says so. */
  const CELLS = new Set("gridcell columnheader rowheader row listbox scrollbar".split(" "));
  const TYPED = new Set(["textbox", "searchbox", "spinbutton"]);
  const GROUPS = new Set(
    "li tr article fieldset form dialog section tbody table ul ol dl figure details".split(" "),
  );
  const GROUP_ROLES = new Set(
    "row listitem option article group dialog alertdialog treeitem gridcell".split(" "),
  );
  const NAMING = /^(id|name|href|src|action|for|title|alt|aria-label|aria-labelledby|formaction)$/;
  const NAMING_DATA =
    /^data-(.+-)?(id|key|uid|uuid|value|slug|name|sku|ref|index|testid|test|url|href|row|item)$/;
  const AROUND_MOST = 600;

  /** Whether an attribute of that name tells things apart. */
  const namings = new Map<string, boolean>();
  const isNaming = (name: string): boolean => {
    let known = namings.get(name);
    if (known === undefined) {
      known = NAMING.test(name) || NAMING_DATA.test(name);
      namings.set(name, known);
    }
    return known;
  };

  /** The labels of every tree by what they are for; only while nothing can change. */
  let labelled: Map<Node, Map<Element, Element[]>> | undefined;
  const labelsIn = (root: Node, known: Map<Node, Map<Element, Element[]>>): Map<Element, Element[]> => {
    let labels = known.get(root);
    if (labels) return labels;
    labels = new Map();
    known.set(root, labels);
    if (!(root instanceof Document || root instanceof ShadowRoot)) return labels;
    for (const label of root.querySelectorAll("label")) {
      const { control } = label;
      if (!control) continue;
      const others = labels.get(control);
      if (others) others.push(label);
      else labels.set(control, [label]);
    }
    return labels;
  };

  const collapsed = (text: string, most: number): string => {
    const plain = text
      .slice(0, most * 8)
      .replace(/\s+/g, " ")
      .trim();
    return plain.length > most ? `${plain.slice(0, most - 1).trimEnd()}…` : plain;
  };

  const buttonAct = (element: HTMLButtonElement): InteractionType =>
    element.type === "submit" && element.form ? "submit" : "click";

  const inputAct = (element: HTMLInputElement): InteractionType | undefined => {
    switch (element.type) {
      case "hidden":
        return undefined;
      case "submit":
      case "image":
        return "submit";
      case "button":
      case "reset":
      case "checkbox":
      case "radio":
        return "click";
      default:
        return "input";
    }
  };

  const native = (element: Element, tag: string): InteractionType | undefined => {
    switch (tag) {
      case "a":
      case "area":
        return element.hasAttribute("href") || element.hasAttribute("xlink:href") ? "navigate" : undefined;
      case "button":
        return element instanceof HTMLButtonElement ? buttonAct(element) : undefined;
      case "input":
        return element instanceof HTMLInputElement ? inputAct(element) : undefined;
      case "select":
        return "select";
      case "textarea":
        return "input";
      case "summary":
        return element.parentElement?.localName === "details" ? "click" : undefined;
      case "video":
      case "audio":
        return element.hasAttribute("controls") ? "click" : undefined;
      case "canvas":
        return "click";
      default:
        return undefined;
    }
  };

  return {
    kindOf(element, tag) {
      const own = native(element, tag);
      if (own) return { act: own, weak: false };
      if (element instanceof HTMLElement) {
        const edited = element.getAttribute("contenteditable");
        if (edited !== null && edited !== "false") return { act: "input", weak: false };
      }
      const role = element.getAttribute("role") ?? "";
      if (TYPED.has(role)) return { act: "input", weak: false };
      if (CLICKED.has(role)) return { act: "click", weak: false };
      if (element.hasAttribute("onclick")) return { act: "click", weak: false };
      const tabindex = element.getAttribute("tabindex");
      if (tabindex !== null && (Number(tabindex) >= 0 || CELLS.has(role)))
        return { act: "click", weak: true };
      return registry.listens(element) ? { act: "click", weak: true } : undefined;
    },

    paths() {
      const ordinals = new Map<Node, Map<Element, number>>();
      const selectors = new Map<Element, string>();
      const xpaths = new Map<Element, string>();
      /** Its place among the siblings of its tag, from 1; 0 when it is the only one. */
      const ordinal = (element: Element): number => {
        const parent = element.parentNode;
        if (!parent) return 0;
        let numbers = ordinals.get(parent);
        if (!numbers) {
          numbers = new Map();
          const counts = new Map<string, number>();
          for (let child = element.parentNode?.firstElementChild; child; child = child.nextElementSibling) {
            const count = (counts.get(child.localName) ?? 0) + 1;
            counts.set(child.localName, count);
            numbers.set(child, count);
          }
          for (const [child, number] of numbers) {
            if (number === 1 && counts.get(child.localName) === 1) numbers.set(child, 0);
          }
          ordinals.set(parent, numbers);
        }
        return numbers.get(element) ?? 0;
      };
      const selector = (element: Element): string => {
        const known = selectors.get(element);
        if (known !== undefined) return known;
        const root = element.getRootNode();
        const { id } = element;
        const own =
          id !== "" &&
          (root instanceof Document || root instanceof ShadowRoot) &&
          root.getElementById(id) === element
            ? `#${CSS.escape(id)}`
            : undefined;
        let path = own;
        if (path === undefined) {
          const number = ordinal(element);
          const tag = CSS.escape(element.localName);
          const step = number === 0 ? tag : `${tag}:nth-of-type(${number})`;
          path = element.parentElement ? `${selector(element.parentElement)} > ${step}` : step;
        }
        // A selector ends at a shadow root; ` >>> ` is the step through it.
        if ((own !== undefined || !element.parentElement) && root instanceof ShadowRoot) {
          path = `${selector(root.host)} >>> ${path}`;
        }
        selectors.set(element, path);
        return path;
      };
      const xpath = (element: Element): string => {
        const known = xpaths.get(element);
        if (known !== undefined) return known;
        const number = ordinal(element);
        const name = /^[a-z][a-z0-9-]*$/.test(element.localName)
          ? element.localName
          : `*[name()='${element.localName}']`;
        // Names of SVG and MathML are in a namespace of their own, which plain names do not reach.
        const plain =
          element.namespaceURI === "http://www.w3.org/1999/xhtml"
            ? name
            : `*[local-name()='${element.localName}']`;
        const step = number === 0 ? plain : `${plain}[${number}]`;
        const path = `${element.parentElement ? xpath(element.parentElement) : ""}/${step}`;
        xpaths.set(element, path);
        return path;
      };
      return { selector, xpath };
    },

    prints() {
      const texts = new Map<Element, string>();
      const textOf = (element: Element): string => {
        const known = texts.get(element);
        if (known !== undefined) return known;
        const text = element.textContent ?? "";
        // A container of so much is no surroundings by which things are told apart.
        const plain = text.length > AROUND_MOST * 10 ? "" : text.replace(/\s+/g, " ").trim();
        const kept = plain.length > AROUND_MOST ? "" : plain;
        texts.set(element, kept);
        return kept;
      };
      const naming = (element: Element): string => {
        let text = "";
        for (const { name, value } of element.attributes) {
          if (isNaming(name)) text += `\n${name}=${value.slice(0, 300)}`;
        }
        return text;
      };
      const isGroup = (element: Element): boolean => {
        if (GROUPS.has(element.localName) || GROUP_ROLES.has(element.getAttribute("role") ?? "")) return true;
        const { localName, nextElementSibling: next, previousElementSibling: previous } = element;
        return next?.localName === localName || previous?.localName === localName;
      };
      return (element) => {
        const ownText = (element.textContent ?? "").slice(0, 2_000).replace(/\s+/g, " ").trim().slice(0, 200);
        let own = `${element.localName}\n${element.getAttribute("role") ?? ""}\n${ownText}${naming(element)}`;
        if (element instanceof HTMLInputElement) {
          own += `\n${element.type}\n${element.placeholder}`;
          if (/^(button|submit|reset|radio|checkbox|image)$/.test(element.type)) own += `\n${element.value}`;
        }
        let around = "";
        let levels = 0;
        for (let up = registry.parentOf(element); up && levels < 8; up = registry.parentOf(up), levels++) {
          if (up.localName === "body" || up.localName === "html" || up.localName === "main") break;
          if (!isGroup(up)) continue;
          const text = textOf(up);
          own += naming(up);
          // A cell that holds nothing but the element: the row says which.
          if (text === "" || text === ownText) continue;
          around = text;
          break;
        }
        return { own, around: around === "" ? [] : around.split(" ") };
      };
    },

    /** The same things in its own words; around it something may have been added, and nothing taken away. */
    same(then, now) {
      if (then.own !== now.own) return false;
      let at = 0;
      for (const word of now.around) if (word === then.around[at]) at++;
      return at === then.around.length;
    },

    labelsOf(element) {
      if (!("labels" in element)) return [];
      if (labelled) return labelsIn(element.getRootNode(), labelled).get(element) ?? [];
      const { labels } = element as { readonly labels?: NodeListOf<HTMLLabelElement> | null }; // Where there are any.
      return labels ? [...labels] : [];
    },

    unchanged(work) {
      labelled = new Map();
      try {
        return work();
      } finally {
        labelled = undefined;
      }
    },

    collapsed,
  };
}
