/**
 * Runs in the main world before the page's own scripts. It records elements with click listeners and elements
 * with closed shadow roots, because neither can be found later. The functions that it wraps behave and look
 * like the original ones.
 */
import type { EventNames } from "./page-script-event-names.ts";

/**
 * Replaces the browser functions that add click listeners or closed shadow roots by wrappers. A wrapper does
 * the same, and also records the element.
 */
export function trackListeners(names: EventNames): void {
  const { dispatchEvent, addEventListener } = EventTarget.prototype;
  const NativeEvent = Event;
  const { apply } = Reflect;
  const connected = Object.getOwnPropertyDescriptor(Node.prototype, "isConnected")?.get;
  if (!connected) return;

  const isEnclosed = (element: Element): boolean => {
    let root = element.getRootNode();
    while (root instanceof ShadowRoot) {
      if (root.mode === "closed") return true;
      root = root.host.getRootNode();
    }
    return false;
  };

  const noteList = (name: string) => {
    const seen = new WeakSet<Element>();
    let waiting: WeakRef<Element>[] = [];
    let crowded = 1_000;
    return {
      add(element: Element): void {
        if (seen.has(element)) return;
        seen.add(element);
        waiting.push(new WeakRef(element));
        if (waiting.length < crowded) return;
        waiting = waiting.filter((item) => item.deref() !== undefined);
        crowded = waiting.length * 2 + 1_000;
      },
      tell(): void {
        waiting = waiting.filter((item) => {
          const element = item.deref();
          if (!element) return false;
          if (!apply(connected, element, [])) return true;
          apply(dispatchEvent, element, [new NativeEvent(name, { composed: true })]);
          // If the element is in a closed shadow root that the isolated world does not know yet, the event of the
          // element only reaches the isolated world at the root's host. So the element stays in the list, and its
          // event is dispatched again at the next request.
          return isEnclosed(element);
        });
      },
    };
  };
  const listening = noteList(names.clickListener);
  const acting = noteList(names.operatingListener);
  const closed = noteList(names.closedRoot);

  const acts = /^(click|dblclick|contextmenu|keydown|keyup|keypress)$/;
  // Touch events are not tracked: no action sends them, and charts listen to them only to show tooltips.
  const clicks = /^(click|dblclick|mousedown|mouseup|pointerdown|pointerup|contextmenu)$/;
  /** Replaces a function by a proxy. To the page, the proxy looks like the original function. */
  const wrap = (
    owner: object,
    name: string,
    part: "value" | "set",
    note: (self: unknown, args: readonly unknown[], result: unknown) => void,
  ): void => {
    const property = Object.getOwnPropertyDescriptor(owner, name);
    const original: unknown = property?.[part];
    if (typeof original !== "function" || !property?.configurable) return;
    const proxy = new Proxy(original, {
      apply(target, self, args) {
        const result: unknown = apply(target, self, args);
        note(self, args, result);
        return result;
      },
    });
    Object.defineProperty(owner, name, { ...property, [part]: proxy });
  };
  const listens = (self: unknown, type: string): void => {
    if (!(self instanceof Element)) return;
    if (clicks.test(type)) listening.add(self);
    if (acts.test(type)) acting.add(self);
  };
  wrap(EventTarget.prototype, "addEventListener", "value", (self, [type]) => {
    if (typeof type === "string") listens(self, type);
  });
  for (const name of ["onclick", "onmousedown", "onmouseup", "onpointerdown", "onpointerup", "ondblclick"]) {
    for (const owner of [HTMLElement.prototype, SVGElement.prototype]) {
      wrap(owner, name, "set", (self, [handler]) => {
        if (typeof handler === "function") listens(self, name.slice(2));
      });
    }
  }
  wrap(Element.prototype, "attachShadow", "value", (self, _, root) => {
    if (self instanceof Element && root instanceof ShadowRoot && root.mode === "closed") closed.add(self);
  });

  /**
   * Names of properties in which React, Svelte and Solid store the handlers of an element. These libraries
   * add real listeners only at their root element.
   */
  const HANDLERS = ["PointerDown", "MouseDown", "DoubleClick", "ContextMenu"].map((name) => `on${name}`);
  const DELEGATED = ["click", "pointerdown", "mousedown", "dblclick", "contextmenu"];
  const CONTAINER = "__reactContainer$";
  /**
   * React marks the element that contains its application by a property. It is searched for at this number of
   * children at each end of `<body>`, because a long document has thousands of children.
   */
  const ENDS = 100;
  const firstOf = (children: HTMLCollection): Element[] => Array.prototype.slice.call(children, 0, ENDS);
  const lastOf = (children: HTMLCollection): Element[] => Array.prototype.slice.call(children, -ENDS);
  const checked = new WeakSet<Element>();
  const read = (owner: unknown, name: string): unknown =>
    typeof owner === "object" && owner !== null ? Reflect.get(owner, name) : undefined;
  const calls = (owner: unknown, name: string): boolean => typeof read(owner, name) === "function";
  const gather = (): void => {
    const { body } = document;
    if (!body) return;
    const { children } = body;
    const outer = children.length <= 2 * ENDS ? [...children] : [...firstOf(children), ...lastOf(children)];
    const tops = [body, ...outer, ...outer.flatMap((top) => firstOf(top.children))];
    const [mark] = tops.flatMap((top) => Object.keys(top).filter((key) => key.startsWith(CONTAINER)));
    const props = mark === undefined ? undefined : `__reactProps$${mark.slice(CONTAINER.length)}`;
    const prefix = "__svelte" in window ? "__" : "_$DX_DELEGATE" in document ? "$$" : undefined;
    if (props === undefined && prefix === undefined) return;
    for (const element of document.querySelectorAll("*")) {
      if (checked.has(element)) continue;
      checked.add(element);
      const given = props === undefined ? undefined : read(element, props);
      if (
        (given !== undefined && HANDLERS.some((name) => calls(given, name))) ||
        (prefix !== undefined && DELEGATED.some((name) => calls(element, `${prefix}${name}`)))
      ) {
        listening.add(element);
        acting.add(element);
      }
    }
  };

  apply(addEventListener, document, [
    names.request,
    () => {
      gather();
      listening.tell();
      acting.tell();
      closed.tell();
    },
  ]);
}
