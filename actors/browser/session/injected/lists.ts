/**
 * In the page: lists that scripts make, which open when their control is clicked: what is in them and what was chosen.
 *
 * A list is known by what its control says of it (`aria-controls`), by roles, or as what came into sight when the
 * control was clicked. Sent as its own source. Neighbour: `../choosing.ts` opens, searches and clicks.
 */
import type { Describer } from "./describer.ts";
import type { Faces } from "./faces.ts";
import type { Holders } from "./holders.ts";
import type { Identity } from "./identity.ts";
import type { Registry } from "./registry.ts";

interface Told {
  readonly label: string;
  readonly value: string;
}

export interface ListOption extends Told {
  readonly id: number;
  readonly chosen: boolean;
  readonly disabled: boolean;
  /** It is an entry of a menu: to click it is all there is to it. */
  readonly acts: boolean;
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
  /** Whether the control says that it is open, though nothing may be in it yet. */
  isOpen(id: number): boolean;
  /** Puts the cursor into what searches the list, with all that it holds chosen; false: nothing does. */
  search(id: number): boolean;
  /** What the control shows as chosen, and what a hidden select holds for it. */
  shown(id: number): string;
  /** Whether the option is chosen; `undefined` where only its control can tell. */
  chosen(id: number, option: number, told: Told): boolean | undefined;
  /** What is operated in the place of a label, or of a select that is hidden. */
  standIn(id: number): number | undefined;
  /** The control as it is after a choice, which it shows. */
  renewed(id: number): number | undefined;
}

export function makeLists(
  registry: Registry,
  describer: Describer,
  identity: Identity,
  holders: Holders,
  faces: Faces,
): Lists {
  const OPTION = "[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem]";
  const LIST = "[role=listbox],[role=menu],[role=tree]";
  const ACTING = "a[href],button,[role=menuitem]";
  const BUTTON = "button,[role=button]";
  const SEEN = { visibilityProperty: true, opacityProperty: true } as const;
  const MOST = 1_000;
  let before = new WeakSet<Element>();
  /** The list that was found last. */
  let latest: Element | undefined;

  /** What is drawn in it, from the outside in: what stands in a slot is in what is around the slot. */
  const all = (root: Document | Element): readonly Element[] => {
    const found: Element[] = [];
    const read = (node: Node): void => {
      const slotted = node instanceof HTMLSlotElement ? node.assignedElements() : [];
      const inner = node instanceof Element ? registry.rootOf(node) : null;
      for (const element of slotted.length > 0 ? slotted : (inner ?? (node as ParentNode)).children) {
        found.push(element);
        read(element);
      }
    };
    read(root);
    return found;
  };

  const isSeen = (element: Element): boolean => {
    if (!element.checkVisibility(SEEN)) return false;
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1;
  };

  const textOf = (element: Element): string => {
    // biome-ignore lint/performance/useDomNodeTextContent: only what is rendered counts
    const text = element instanceof HTMLElement ? element.innerText : element.textContent;
    // What stands in the slots of a component is not part of it.
    return describer.collapsed(text?.trim() ? text : describer.wordsOf(element), 200);
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
    const within = all(list);
    const roles = within.filter((one) => one.matches(OPTION));
    if (roles.length > 0) return roles.filter(isSeen);
    const items = within.filter(
      (one) => one.matches("li,[data-value]") && !one.querySelector("li,[data-value]"),
    );
    const found = items.length > 0 ? items : [...list.children];
    return found.filter((one) => isSeen(one) && textOf(one) !== "");
  };

  /** The list of the option that the keys are at. */
  const activeIn = (control: Element): Element | undefined => {
    const inner = control.querySelector("[aria-activedescendant]");
    for (const one of [control, inner, control.closest("[aria-activedescendant]")]) {
      const id = one?.getAttribute("aria-activedescendant");
      const root = control.getRootNode();
      const option = id && root instanceof ShadowRoot ? root.getElementById(id) : null;
      const found = (option ?? (id ? document.getElementById(id) : null))?.closest(LIST);
      if (found && isSeen(found) && optionsIn(found).length > 0) return found;
    }
    return undefined;
  };

  /** What was chosen may be told as an option as well, with a button that takes it away. */
  const isChip = (control: Element, option: Element): boolean =>
    option.querySelector(BUTTON) !== null && heldAs(control, tellingOf(option))?.selected === true;

  /** The innermost element with more than one option in it; its parent where there is but one. */
  const groupOf = (option: Element): Element | undefined => {
    const parent = registry.parentOf(option) ?? undefined;
    for (let up = parent; up && up !== document.body; up = registry.parentOf(up) ?? undefined) {
      if (optionsIn(up).length > 1) return up;
    }
    return parent;
  };

  const listOf = (control: Element): Element | undefined => {
    const list = search(control);
    latest = list ?? latest;
    return list;
  };

  const search = (control: Element): Element | undefined => {
    const own = named(control);
    if (own) return own;
    if (control.matches(LIST) && optionsIn(control).length > 0) return control;
    const around = control.matches(OPTION) ? control.closest(LIST) : null;
    if (around && isSeen(around)) return around;
    const active = activeIn(control);
    if (active) return active;
    const seen = all(document).filter((one) => !before.has(one) && isSeen(one));
    const list = seen.find((one) => {
      const options = one.matches(LIST) ? optionsIn(one) : [];
      return options.length > 0 && !options.every((option) => isChip(control, option));
    });
    if (list) return list;
    const option = seen.find((one) => one.matches(OPTION) && !isChip(control, one));
    if (option) return groupOf(option);
    // A search may have left one option in it, which alone would not be known for a list.
    if (latest?.isConnected && isSeen(latest) && optionsIn(latest).length > 0) return latest;
    // It is closed again, and what came into sight since is what was chosen.
    if (latest?.isConnected && !isSeen(latest)) return undefined;
    // Without any role: the largest group of like elements that came into sight.
    const groups = new Map<Element, number>();
    for (const one of seen) {
      const parent = registry.parentOf(one);
      const like = one.nextElementSibling ?? one.previousElementSibling;
      // What came beside a field is what was chosen in it.
      if (parent === registry.parentOf(control)) continue;
      if (!parent || like?.localName !== one.localName || textOf(one) === "") continue;
      if (!/^(li|div|a|button|span|td|tr)$/.test(one.localName)) continue;
      groups.set(parent, (groups.get(parent) ?? 0) + 1);
    }
    const [group] = [...groups].toSorted(([, one], [, other]) => other - one)[0] ?? [];
    if (group) return group;
    const item = seen.find((one) => one.localName === "li" && textOf(one) !== "");
    return (item && registry.parentOf(item)) ?? undefined;
  };

  const labelOf = (option: Element): string => option.getAttribute("aria-label") ?? textOf(option);
  const dataOf = (option: Element): string =>
    option.getAttribute("data-value") ?? option.getAttribute("value") ?? "";
  const plain = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase();

  const tellingOf = (option: Element): Told => ({ label: labelOf(option), value: dataOf(option) });

  /** What stands for it in the select that the list hides. */
  const heldAs = (control: Element, told: Told): HTMLOptionElement | undefined => {
    const [label, value] = [plain(told.label), plain(told.value)];
    return [...(holders.holderOf(control)?.options ?? [])].find(
      (one) => plain(one.label) === label || (value !== "" && plain(one.value) === value),
    );
  };

  /** In lists of a control `aria-selected` may mean no more than that the pointer or the keys are at it. */
  const isChosen = (control: Element, option: Element | undefined, told: Told): boolean | undefined => {
    const label = plain(told.label);
    const held = heldAs(control, told);
    if (held) return held.selected;
    if (option?.getAttribute("aria-checked") === "true") return true;
    if (option?.getAttribute("aria-selected") !== "true") return undefined;
    const several = option.closest("[aria-multiselectable=true]") !== null;
    return several || control.matches(LIST) || control.contains(option) || shownBy(control).includes(label)
      ? true
      : undefined;
  };

  const shownBy = (control: Element): string => {
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
    const widget = faces.widgetOf(control);
    if (widget !== control && widget !== parent) read(widget);
    return plain(texts.join(" "));
  };

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
      latest = undefined;
      before = new WeakSet(all(document).filter(isSeen));
    },

    listing(id) {
      const control = identity.lives(id);
      const list = control && listOf(control);
      if (!list) return undefined;
      const options = optionsIn(list).slice(0, MOST);
      const scroller = scrollerOf(list);
      return {
        options: options.map((option) => {
          const told = tellingOf(option);
          return {
            id: identity.meant(option, true),
            ...told,
            chosen: isChosen(control, option, told) ?? false,
            disabled: identity.isDisabled(option),
            acts: option.matches(ACTING) || option.querySelector(`:scope > :is(${ACTING})`) !== null,
          };
        }),
        scrolls: scroller !== undefined,
        busy: list.closest("[aria-busy=true]") !== null || list.querySelector("[aria-busy=true]") !== null,
      };
    },

    isOpen(id) {
      return identity.lives(id)?.closest("[aria-expanded]")?.getAttribute("aria-expanded") === "true";
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
      const near = list && all(registry.parentOf(list) ?? list).find((one) => isSearch(one) && isSeen(one));
      const found = [control, control?.querySelector("input"), near, active].find(isSearch);
      if (!found) return false;
      found.focus({ preventScroll: true });
      found.select();
      return true;
    },

    shown(id) {
      const control = identity.lives(id);
      return control ? shownBy(control) : "";
    },

    chosen(id, option, told) {
      const control = identity.lives(id);
      return control && isChosen(control, identity.lives(option), told);
    },

    renewed(id) {
      const control = identity.lives(id);
      return control && identity.meant(control);
    },

    standIn(id) {
      const select = identity.lives(id);
      const found = select && holders.standInFor(select);
      return found && identity.meant(found);
    },
  };
}
