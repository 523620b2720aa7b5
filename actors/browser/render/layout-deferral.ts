/**
 * Whether a page is laid out: only once its scripts ask for what a layout tells.
 *
 * Chromium styles and lays out every document as its load ends, whether anybody looks or not: that is close to half of
 * what a page that is not drawn costs its renderer. So the contents of a document are skipped (`content-visibility`, CSS
 * Containment 2, section 4) until its scripts first measure, observe, ask for styles, scroll or move the focus, or until
 * it holds a document in a frame: then it is laid out at once, before the question is answered, and stays so. Frames
 * alone need none: they cost little of a document without a layout. The first document of a new window is laid out
 * whatever it asks, which costs only time. These functions are sent as their own source, like those of `injected.ts`.
 * Neighbour: `drawing.ts` sends them.
 */

/** Names of events by which a document tells; no page can guess them. */
export interface Signals {
  /** Its scripts want frames. */
  readonly frames: string;
  /** Its scripts ask for what a layout tells. */
  readonly layout: string;
}

/** In the isolated world, before the document's own scripts: no layout until `tellsOfMeasuring` tells of a need. */
export function deferLayout({ layout }: Signals): void {
  const skipped = new CSSStyleSheet();
  // What is in a frame has its size from the document around it.
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
 * In the world of the page's scripts, before them: fires the event at the document the first time that they use what
 * depends on its layout, before they get their answer. What was watched is then as it was before.
 */
export function reportMeasuring({ layout }: Signals): void {
  type Part = "value" | "get" | "set";
  // Scripts may replace all of these later.
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const { dispatchEvent } = EventTarget.prototype;
  const Told = Event;
  const watched: { owner: object; name: string; part: Part; original: unknown; proxy: unknown }[] = [];
  const fire = (target: Document): void => {
    apply(dispatchEvent, target, [new Told(layout)]);
  };
  let told = false;
  const tell = (): void => {
    if (told) return;
    told = true;
    for (let at = 0; at < watched.length; at++) {
      const one = watched[at];
      const now = one && getOwnPropertyDescriptor(one.owner, one.name);
      // What a script has put in its place is the script's.
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
  // A frame in a shadow tree, which no selector finds.
  for (let inner: Window = window; inner !== inner.parent; inner = inner.parent) {
    try {
      fire(inner.parent.document);
    } catch {
      // Of another origin.
      break;
    }
  }
}
