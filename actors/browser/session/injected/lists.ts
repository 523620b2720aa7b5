/**
 * In the page: lists that scripts make, which open when their control is clicked: what is in them and what was chosen.
 *
 * A list is known by what its control says of it (`aria-controls`), by roles, or as what came into sight when the
 * control was clicked. Sent as its own source. Neighbour: `../choosing.ts` opens, searches and clicks.
 */
import type { Describer } from "./describer.ts";
import type { Identity } from "./identity.ts";
import type { Registry } from "./registry.ts";

export interface ListOption {
  readonly id: number;
  readonly label: string;
  readonly value: string;
  readonly chosen: boolean;
  readonly disabled: boolean;
}

export interface Listing {
  readonly options: readonly ListOption[];
  /** More of it may be told by scrolling. */
  readonly scrolls: boolean;
  readonly busy: boolean;
}

export interface Lists {
  /** Notes what is seen before the list is opened. */
  mark(id: number): void;
  /** `undefined`: none is seen. */
  listing(id: number): Listing | undefined;
  /** Scrolls a part further, or to the start; false: it was at its end. */
  further(id: number, anew: boolean): boolean;
  /** Puts the cursor into what searches the list, with all that it holds chosen; false: nothing does. */
  search(id: number): boolean;
  /** What the control shows as chosen. */
  shown(id: number): string;
  chosen(option: number): boolean;
}

export function makeLists(registry: Registry, describer: Describer, identity: Identity): Lists {
  const OPTION = "[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem]";
  const LIST = "[role=listbox],[role=menu],[role=tree]";
  const SEEN = { visibilityProperty: true, opacityProperty: true } as const;
  const MOST = 1_000;
  let before = new WeakSet<Element>();

  function* all(root: Document | ShadowRoot | Element): Generator<Element> {
    for (const element of root.querySelectorAll("*")) {
      yield element;
      const inner = registry.rootOf(element);
      if (inner) yield* all(inner);
    }
  }

  const isSeen = (element: Element): boolean => {
    if (!element.checkVisibility(SEEN)) return false;
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1;
  };

  const textOf = (element: Element): string => {
    // biome-ignore lint/performance/useDomNodeTextContent: only what is rendered counts
    const text = element instanceof HTMLElement ? element.innerText : element.textContent;
    return describer.collapsed(text ?? "", 200);
  };

  const isSearch = (element: Element | null | undefined): element is HTMLInputElement =>
    element instanceof HTMLInputElement &&
    /^(text|search|)$/.test(element.type) &&
    !element.readOnly &&
    !element.disabled;

  const named = (control: Element): Element | undefined => {
    const inner = control.querySelector("[aria-controls],[aria-owns]");
    for (const one of [control, inner, control.closest("[aria-controls],[aria-owns]")]) {
      const ids = `${one?.getAttribute("aria-controls") ?? ""} ${one?.getAttribute("aria-owns") ?? ""}`;
      for (const id of ids.split(/\s+/)) {
        const root = control.getRootNode();
        const found =
          id === ""
            ? null
            : ((root instanceof ShadowRoot ? root.getElementById(id) : null) ?? document.getElementById(id));
        if (found && isSeen(found) && optionsIn(found).length > 0) return found;
      }
    }
    return undefined;
  };

  /** The innermost ones that stand for something to choose. */
  const optionsIn = (list: Element): readonly Element[] => {
    const within = [...all(list)];
    const roles = within.filter((one) => one.matches(OPTION));
    if (roles.length > 0) return roles.filter(isSeen);
    const items = within.filter(
      (one) => one.matches("li,[data-value]") && !one.querySelector("li,[data-value]"),
    );
    const found = items.length > 0 ? items : [...list.children];
    return found.filter((one) => isSeen(one) && textOf(one) !== "");
  };

  const listOf = (control: Element): Element | undefined => {
    const own = named(control);
    if (own) return own;
    if (control.matches(LIST) && optionsIn(control).length > 0) return control;
    const around = control.matches(OPTION) ? control.closest(LIST) : null;
    if (around && isSeen(around)) return around;
    const seen = [...all(document)].filter((one) => !before.has(one) && isSeen(one));
    const lists = seen.filter((one) => one.matches(LIST) && optionsIn(one).length > 0);
    const [list] = lists;
    if (list) return list;
    const option = seen.find((one) => one.matches(OPTION));
    if (option) return registry.parentOf(option) ?? undefined;
    // Without any role: the largest group of like elements that came into sight.
    const groups = new Map<Element, number>();
    for (const one of seen) {
      const parent = registry.parentOf(one);
      const like = one.nextElementSibling ?? one.previousElementSibling;
      if (!parent || like?.localName !== one.localName || textOf(one) === "") continue;
      if (!/^(li|div|a|button|span|td|tr)$/.test(one.localName)) continue;
      groups.set(parent, (groups.get(parent) ?? 0) + 1);
    }
    return [...groups].toSorted(([, one], [, other]) => other - one)[0]?.[0];
  };

  const isChosen = (option: Element): boolean =>
    ["aria-selected", "aria-checked"].some((name) => option.getAttribute(name) === "true");

  const scrollerOf = (list: Element): Element | undefined => {
    const scrolls = (one: Element): boolean =>
      one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY);
    for (const one of [list, ...all(list)]) if (scrolls(one)) return one;
    let up = registry.parentOf(list);
    for (let level = 0; up && level < 3; level++, up = registry.parentOf(up)) {
      if (up !== document.body && up !== document.documentElement && scrolls(up)) return up;
    }
    return undefined;
  };

  return {
    mark() {
      before = new WeakSet([...all(document)].filter(isSeen));
    },

    listing(id) {
      const control = identity.lives(id);
      const list = control && listOf(control);
      if (!list) return undefined;
      const options = optionsIn(list).slice(0, MOST);
      const scroller = scrollerOf(list);
      return {
        options: options.map((option) => ({
          id: identity.meant(option),
          label: option.getAttribute("aria-label") ?? textOf(option),
          value: option.getAttribute("data-value") ?? option.getAttribute("value") ?? "",
          chosen: isChosen(option),
          disabled: identity.isDisabled(option),
        })),
        scrolls: scroller !== undefined,
        busy: list.closest("[aria-busy=true]") !== null || list.querySelector("[aria-busy=true]") !== null,
      };
    },

    further(id, anew) {
      const control = identity.lives(id);
      const list = control && listOf(control);
      const scroller = list && scrollerOf(list);
      if (!scroller) return false;
      const then = scroller.scrollTop;
      const way = anew ? -scroller.scrollHeight : Math.max(20, scroller.clientHeight * 0.8);
      scroller.scrollBy({ top: way, behavior: "instant" });
      return scroller.scrollTop !== then;
    },

    search(id) {
      const control = identity.lives(id);
      const list = control && listOf(control);
      const active = document.activeElement;
      const near =
        list && [...all(registry.parentOf(list) ?? list)].find((one) => isSearch(one) && isSeen(one));
      const found = [control, control?.querySelector("input"), near, active].find(isSearch);
      if (!found) return false;
      found.focus({ preventScroll: true });
      found.select();
      return true;
    },

    shown(id) {
      const control = identity.lives(id);
      if (!control) return "";
      const list = listOf(control);
      const texts: string[] = [];
      const read = (one: Element): void => {
        if (one === list || one.matches(LIST) || one.matches(OPTION)) return;
        if (one instanceof HTMLInputElement && one.type !== "hidden") texts.push(one.value);
        for (const child of one.childNodes) {
          if (child instanceof Text && one.checkVisibility(SEEN)) texts.push(child.data);
          if (child instanceof Element && !before.has(child) && child.querySelector(OPTION)) continue;
          if (child instanceof HTMLSelectElement)
            for (const { label } of child.selectedOptions) texts.push(label);
          else if (child instanceof Element) read(child);
        }
        const root = registry.rootOf(one);
        for (const child of root?.children ?? []) read(child);
      };
      read(control);
      // What stands beside a search field in its frame: chips, the one that is chosen.
      const parent = registry.parentOf(control);
      if (parent && parent !== document.body && (parent.textContent ?? "").length < 2_000) read(parent);
      return texts.join(" ").replace(/\s+/g, " ").trim().toLowerCase();
    },

    chosen(option) {
      const element = identity.lives(option);
      return element !== undefined && isChosen(element);
    },
  };
}
