/**
 * Skips the layout of a page (`content-visibility`, CSS Containment 2, section 4) until a script measures,
 * observes, scrolls or focuses something, or until the page contains an `iframe` or a similar element. In a page
 * that is not drawn, the layout is nearly half of the cost. The functions are sent to the page as source text,
 * like those of `functions-run-in-rendered-page.ts`.
 */

/**
 * Names of the events by which a document reports what its scripts use. They are random, so that no page can
 * guess them.
 */
export interface Signals {
  /** Name of the event that reports the use of animation frames. */
  readonly frames: string;
  /** Name of the event by which a script reports that it has used a value that depends on the layout, such as a size. */
  readonly layout: string;
}

/**
 * Defers the layout of the document until its scripts dispatch the event `layout` (see `reportMeasuring`). It
 * runs in the isolated world before the document's scripts.
 */
export function deferLayout({ layout }: Signals): void {
  const skipped = new CSSStyleSheet();
  // In a document with child frames, the layout is not skipped, because the content of a child frame may depend on
  // the size of the frame.
  skipped.replaceSync(
    "html:not(:has(iframe, frame, object, embed)) { content-visibility: hidden !important }",
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, skipped];
  const layOut = (): void => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== skipped);
  };
  document.addEventListener(layout, layOut, { once: true });
}

/**
 * Dispatches the event `layout` when a script first uses something that depends on the layout. The event
 * comes before the script gets its result. The patched functions are then restored. Runs in the world of the
 * page's scripts, before any of them.
 */
export function reportMeasuring({ layout }: Signals): void {
  type Part = "value" | "get" | "set";
  // The original functions are copied now, because scripts of the page may replace them later.
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const { dispatchEvent } = EventTarget.prototype;
  const NativeEvent = Event;
  const watched: { owner: object; name: string; part: Part; original: unknown; proxy: unknown }[] = [];
  const fire = (target: Document): void => {
    apply(dispatchEvent, target, [new NativeEvent(layout)]);
  };
  let reported = false;
  const tell = (): void => {
    if (reported) return;
    reported = true;
    for (let at = 0; at < watched.length; at++) {
      const one = watched[at];
      const now = one && getOwnPropertyDescriptor(one.owner, one.name);
      // The original function is restored only if the property still has Cairn's proxy. When a script has
      // replaced the proxy, the script's function is kept.
      if (one && now?.[one.part] === one.proxy)
        defineProperty(one.owner, one.name, { ...now, [one.part]: one.original });
    }
    fire(document);
  };
  const watch = (owner: object | undefined, names: string): void => {
    if (!owner) return;
    for (const name of names.split(" ")) {
      for (const part of ["value", "get", "set"] as const) {
        const property = getOwnPropertyDescriptor(owner, name);
        const original: unknown = property?.[part];
        if (typeof original !== "function" || !property?.configurable) continue;
        const proxy = new Proxy(original, {
          apply: (target, self, args) => {
            tell();
            return apply(target, self, args) as unknown;
          },
        });
        watched.push({ owner, name, part, original, proxy });
        defineProperty(owner, name, { ...property, [part]: proxy });
      }
    }
  };
  watch(
    Element.prototype,
    "getBoundingClientRect getClientRects checkVisibility computedStyleMap getAnimations " +
      "clientTop clientLeft clientWidth clientHeight scrollTop scrollLeft scrollWidth scrollHeight " +
      "scroll scrollTo scrollBy scrollIntoView scrollIntoViewIfNeeded",
  );
  watch(
    HTMLElement.prototype,
    "offsetParent offsetTop offsetLeft offsetWidth offsetHeight innerText outerText focus",
  );
  watch(
    Document.prototype,
    "adoptedStyleSheets elementFromPoint elementsFromPoint caretRangeFromPoint caretPositionFromPoint " +
      "getAnimations fonts execCommand",
  );
  watch(
    window,
    "getComputedStyle scroll scrollTo scrollBy scrollX scrollY pageXOffset pageYOffset find visualViewport",
  );
  watch(ShadowRoot.prototype, "elementFromPoint elementsFromPoint getAnimations");
  watch(Range.prototype, "getBoundingClientRect getClientRects");
  watch(Selection.prototype, "modify toString");
  watch(HTMLImageElement.prototype, "width height x y");
  watch(HTMLDialogElement.prototype, "show showModal");
  watch(SVGElement.prototype, "focus");
  watch(SVGGraphicsElement.prototype, "getBBox getCTM getScreenCTM");
  watch(SVGGeometryElement.prototype, "getTotalLength getPointAtLength isPointInFill isPointInStroke");
  watch(
    SVGTextContentElement.prototype,
    "getNumberOfChars getComputedTextLength getSubStringLength getStartPositionOfChar getEndPositionOfChar " +
      "getExtentOfChar getRotationOfChar getCharNumAtPosition",
  );
  // A parent document cannot find a frame inside of a shadow tree by a selector. So the frame itself
  // dispatches the event in all its parent documents.
  for (let inner: Window = window; inner !== inner.parent; inner = inner.parent) {
    try {
      fire(inner.parent.document);
    } catch {
      // The parent document has another origin, so it cannot be reached.
      break;
    }
  }
}
