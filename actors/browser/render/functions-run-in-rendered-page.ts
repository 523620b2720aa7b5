/**
 * Functions that run inside of a rendered page: they wait until it no longer changes, serialize it, and
 * report that it needs animation frames. Each function is sent as source text, so it can use only its
 * arguments and the page. All but `reportFrames` run in an isolated world, where the page's scripts neither
 * see nor replace them.
 */
import type { LoadingMarks } from "../loading-indicators.ts";
import type { Signals } from "./layout-deferral.ts";

export interface QuietOptions {
  /**
   * Milliseconds without a change after which the page counts as settled. `browser-limits.ts` explains the limits
   * `quiet`, `quietFrames`, `emptyQuiet`, `within` and `textChanges`.
   */
  readonly quiet: number;
  readonly quietFrames: number;
  readonly emptyQuiet: number;
  readonly within: number;
  readonly textChanges: number;
  /** Whether Chromium draws the animation frames of the page now. */
  readonly drawn: boolean;
  readonly marks: LoadingMarks;
}

/** The global object of the isolated world of one document. It exists as long as the document. */
interface World {
  watch?: {
    /** Time of the document's last change, as a `performance.now()` value. */
    last: number;
    /** Number of animation frames that were drawn since the last change. Counting stops at `quietFrames`. */
    frames: number;
    /** Time at which the last of these frames was drawn, as a `performance.now()` value; 0 before the first one. */
    lastFrame: number;
    /** Whether a callback of `requestAnimationFrame` is registered that will count the next frame. */
    counts: boolean;
  };
  /** Whether the page's scripts have used something that needs animation frames. */
  framed?: boolean;
  /**
   * Called when a script of the document needs animation frames for the first time. `framed` then becomes
   * true.
   */
  whenFramed?: () => void;
}

/**
 * Waits until the document has not changed for `quiet` milliseconds. Returns the reason for the end of the
 * wait. `quiet`: the document has settled. `framed`: its scripts need animation frames, and none are drawn.
 * `late`: `within` milliseconds have passed.
 */
export function waitUntilQuiet({
  quiet,
  quietFrames,
  emptyQuiet,
  within,
  textChanges,
  drawn,
  marks,
}: QuietOptions): Promise<"quiet" | "framed" | "late"> {
  const world = globalThis as World;

  /** Starts to count the animation frames that the page draws. */
  const countFrames = (): void => {
    const { watch } = world;
    if (!watch) return;
    watch.frames = 0;
    if (watch.counts) return;
    watch.counts = true;
    const next = (): void => {
      watch.frames += 1;
      watch.lastFrame = performance.now();
      watch.counts = watch.frames < quietFrames;
      if (watch.counts) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  };

  if (!world.watch) {
    const watch = { last: performance.now(), frames: 0, lastFrame: 0, counts: false };
    const changes = new WeakMap<Node, number>();
    const counts = (record: MutationRecord): boolean => {
      for (const node of record.addedNodes) if (node.nodeType === Node.ELEMENT_NODE) return true;
      if (record.type === "childList" && record.removedNodes.length > 0 && record.addedNodes.length === 0)
        return true;
      const times = (changes.get(record.target) ?? 0) + 1;
      changes.set(record.target, times);
      return times <= textChanges;
    };
    new MutationObserver((records) => {
      if (!records.some(counts)) return;
      watch.last = performance.now();
      countFrames();
    }).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ["href", "src"],
    });
    world.watch = watch;
  }
  const { watch } = world;
  countFrames();

  const isEmpty = (): boolean => {
    const { body } = document;
    if (!body) return true;
    if (body.querySelector("a[href], frame, iframe, input, button")) return false;
    const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement?.localName ?? "";
      if (!/^(script|style|noscript|template)$/.test(parent) && node.nodeValue?.trim()) return false;
    }
    for (const element of body.querySelectorAll("*"))
      if (element.shadowRoot?.textContent?.trim()) return false;
    return true;
  };

  /**
   * Whether a visible element of the page shows that its content is still loading, such as the text
   * "Loading…".
   */
  const isLoading = (): boolean => {
    // `checkVisibility` would cause the layout that `layout-deferral.ts` avoids, so the styles are read
    // instead.
    const isShown = (element: Element | null): boolean => {
      for (let at = element; at; at = at.parentElement) {
        const { display, visibility } = getComputedStyle(at);
        if (display === "none" || (at === element && visibility !== "visible")) return false;
      }
      return true;
    };
    if ([...document.querySelectorAll(marks.busy)].some(isShown)) return true;
    const { body } = document;
    if (!body) return false;
    const says = new RegExp(marks.text, "i");
    const isLoadingText = (text: string): boolean =>
      text.length <= marks.textLength && says.test(text.trim());
    for (const element of document.querySelectorAll(marks.labelled)) {
      const label = element.getAttribute("aria-label") ?? element.getAttribute("alt") ?? "";
      if (isLoadingText(label) && isShown(element)) return true;
    }
    const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (!isLoadingText(node.nodeValue ?? "")) continue;
      if (isShown(node.parentElement) && node.parentElement?.localName !== "option") return true;
    }
    return false;
  };

  const isFramed = (): boolean =>
    world.framed === true ||
    [...document.querySelectorAll("iframe")].some(
      (frame) => frame.loading === "lazy" || frame.contentDocument === null,
    );

  const from = performance.now();
  return new Promise((resolve) => {
    if (!drawn) {
      world.whenFramed = () => resolve("framed");
      if (world.framed) resolve("framed");
    }
    const check = (): void => {
      const now = performance.now();
      if (now - from >= within) {
        resolve("late");
        return;
      }
      let left = quiet - (now - Math.max(watch.last, from));
      if (left <= 0 && document.readyState === "loading") left = quiet / 2;
      // The quiet time is longer for a page that will probably change. Such a page is empty, shows that it is
      // loading, or has drawn only few frames so far.
      const awaitsFrames = drawn && watch.frames < quietFrames;
      if (left <= 0 && quiet < emptyQuiet && (awaitsFrames || isEmpty() || isLoading())) {
        // On a busy machine, few frames are drawn. Each of them may be a step towards the next change.
        const lastStep = awaitsFrames ? Math.max(watch.last, watch.lastFrame) : watch.last;
        left = emptyQuiet - (now - Math.max(lastStep, from));
      }
      if (left <= 0) resolve(isFramed() ? "framed" : "quiet");
      else setTimeout(check, Math.min(Math.max(left, 5), awaitsFrames ? quiet / quietFrames : quiet));
    };
    setTimeout(check, quiet);
  });
}

export interface SerializedPage {
  readonly url: string;
  readonly contentType: string;
  readonly html: string;
  readonly frames: readonly { readonly url: string; readonly html: string }[];
  /** Whether the document exceeds the maximum length. In this case, `html` is empty. */
  readonly tooLarge: boolean;
}

/**
 * Returns the document as HTML, including its open shadow roots and the documents of its same-origin frames.
 * `html` is empty if the text would be longer than `most` characters.
 */
export function serializePage({
  most,
  mostFrames,
  hiddenMark,
  filledMark,
}: {
  readonly most: number;
  readonly mostFrames: number;
  /** Name of the attribute that is set on elements which style rules hide. */
  readonly hiddenMark: string;
  /** Name of the attribute that is set on required fields and radio buttons which have a value. */
  readonly filledMark: string;
}): SerializedPage {
  const frames: { url: string; html: string }[] = [];

  /**
   * Returns the selectors of style rules that hide elements. Returns `undefined` when a style sheet of
   * another origin cannot be read.
   */
  const hidingSelectors = (root: Document | ShadowRoot): readonly string[] | undefined => {
    const found: string[] = [];
    const read = (rules: CSSRuleList): void => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule) {
          const { display, visibility } = rule.style;
          if (display === "none" || /hidden|collapse/.test(visibility)) found.push(rule.selectorText);
        } else if (rule instanceof CSSGroupingRule) read(rule.cssRules);
        else if (rule instanceof CSSImportRule && rule.styleSheet) read(rule.styleSheet.cssRules);
      }
    };
    try {
      for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) read(sheet.cssRules);
    } catch {
      return undefined;
    }
    return found;
  };
  /**
   * Returns the elements that the style sheets may hide. The caller reads the computed style only of these
   * elements, because reading it starts the layout that `layout-deferral.ts` has deferred.
   */
  const maybeHidden = (root: Document | ShadowRoot): Iterable<Element> => {
    const selectors = hidingSelectors(root);
    if (!selectors) return root.querySelectorAll("body *");
    return new Set(
      selectors.flatMap((selector) => {
        try {
          return [...root.querySelectorAll(selector)];
        } catch {
          // The error is ignored: `querySelectorAll` refuses some selectors that are valid in a style sheet,
          // such as those of nested rules.
          return [];
        }
      }),
    );
  };
  const hasVisible = (element: Element): boolean =>
    [...element.querySelectorAll("*")].some((inner) => getComputedStyle(inner).visibility === "visible");
  /**
   * Marks all elements that style sheets hide. Returns whether the document contains visible text outside of
   * these elements.
   */
  const markHidden = (root: Document | ShadowRoot): boolean => {
    const never = "script, style, template, noscript, head";
    for (const element of maybeHidden(root)) {
      if (element.matches(never) || element === document.body || element === document.documentElement)
        continue;
      const { display, visibility } = getComputedStyle(element);
      if (display === "none" || (visibility !== "visible" && !hasVisible(element)))
        element.setAttribute(hiddenMark, "");
    }
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (/\S/.test(text.nodeValue ?? "") && !parent?.closest(`${never}, [${hiddenMark}]`)) return true;
    }
    return false;
  };
  const unmark = (root: Document | ShadowRoot): void => {
    for (const marked of root.querySelectorAll(`[${hiddenMark}]`)) marked.removeAttribute(hiddenMark);
  };

  const markFilled = (root: Document | ShadowRoot): void => {
    const fields = "input, select, textarea";
    for (const field of root.querySelectorAll<HTMLInputElement | HTMLSelectElement>(fields)) {
      const hasValue =
        "checked" in field && /^(?:checkbox|radio)$/.test(field.type) ? field.checked : field.value !== "";
      const counts =
        field.required || field.type === "radio" || field.getAttribute("aria-required") === "true";
      field.toggleAttribute(filledMark, counts && hasValue);
    }
  };

  const openRoots = (root: Document | ShadowRoot): ShadowRoot[] => {
    const found: ShadowRoot[] = [];
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) found.push(element.shadowRoot, ...openRoots(element.shadowRoot));
    }
    return found;
  };

  const write = (target: Document): string => {
    const { documentElement: element } = target;
    if (!element) return "";
    const shadowRoots = openRoots(target);
    const roots = [target, ...shadowRoots];
    for (const root of roots) unmark(root);
    // If styles hide all text of a page, the page probably waits for something that renders do not load, such
    // as an image. The text is then treated as visible.
    if (!roots.map(markHidden).some(Boolean)) roots.forEach(unmark);
    for (const root of roots) {
      markFilled(root);
      collect(root);
      // Browsers do not show `noscript` elements when scripts run, so these elements are removed from the
      // result. Changing the document does no harm, because another page is loaded after this call.
      for (const unseen of root.querySelectorAll("noscript")) unseen.remove();
    }
    const doctype = target.doctype ? `<!DOCTYPE ${target.doctype.name}>` : "";
    if (shadowRoots.length === 0) return doctype + element.outerHTML;
    // The clone of an element is always an element, so the cast is safe.
    const shell = (element.cloneNode(false) as Element).outerHTML;
    const end = shell.lastIndexOf("</");
    return doctype + shell.slice(0, end) + element.getHTML({ shadowRoots }) + shell.slice(end);
  };

  const collect = (root: Document | ShadowRoot): void => {
    for (const frame of root.querySelectorAll<HTMLIFrameElement | HTMLFrameElement>("iframe, frame")) {
      // `contentDocument` is null for a frame of another origin, which is skipped. A frame without content is
      // skipped too.
      const inner = frame.contentDocument;
      if (!inner?.body || frames.length >= mostFrames) continue;
      if (inner.URL === "about:blank" && !inner.body.firstChild) continue;
      const at = frames.push({ url: inner.baseURI, html: "" }) - 1;
      frames[at] = { url: inner.baseURI, html: write(inner) };
    }
  };

  const { contentType } = document;
  const html = contentType === "text/plain" ? (document.body?.textContent ?? "") : write(document);
  const length = frames.reduce((sum, frame) => sum + frame.html.length, html.length);
  const url = location.href;
  if (length > most) return { url, contentType, html: "", frames: [], tooLarge: true };
  return { url, contentType, html, frames, tooLarge: false };
}

/**
 * Listens for the event by which `reportFrames` reports that the page needs animation frames. It runs in the
 * isolated world before the document's scripts.
 */
export function installFrameListener({ frames }: Signals): void {
  const world = globalThis as World;
  document.addEventListener(frames, () => {
    world.framed = true;
    world.whenFramed?.();
  });
}

/**
 * Reports what the page's scripts use. It runs before these scripts, in their world, and dispatches two
 * events. `frames`: a script uses animation frames or asks whether the page is visible. `layout`: a script
 * observes sizes or positions, or starts an animation.
 */
export function reportFrames({ frames, layout }: Signals): void {
  const { dispatchEvent } = EventTarget.prototype;
  const NativeEvent = Event;
  type Wish = "nothing" | "frames" | "layout in frames";
  const reported = { frames: false, layout: false };
  const want = (wish: Wish): void => {
    if (wish === "layout in frames" && !reported.layout) {
      reported.layout = true;
      dispatchEvent.call(document, new NativeEvent(layout));
    }
    if (wish === "nothing" || reported.frames) return;
    reported.frames = true;
    try {
      dispatchEvent.call(top?.document ?? document, new NativeEvent(frames));
    } catch {
      // The error is ignored: the top window has another origin, so this frame cannot report to it.
    }
  };
  /**
   * Replaces a function of the page by a wrapper that reports its first use. Scripts that inspect the wrapper
   * see the original function.
   *
   * @param answer if given, the wrapper always returns this value
   */
  const noted = (
    owner: object,
    name: string,
    part: "value" | "get" | "set",
    /**
     * Returns what the browser must provide for a call with these arguments: nothing, animation frames, or a
     * layout and animation frames.
     */
    wants: (args: readonly unknown[]) => Wish,
    answer?: unknown,
  ): void => {
    const property = Object.getOwnPropertyDescriptor(owner, name);
    const original: unknown = property?.[part];
    if (typeof original !== "function" || !property?.configurable) return;
    const proxy = new Proxy(original, {
      apply: (target, self, args) => {
        want(wants(args));
        const result: unknown = Reflect.apply(target, self, args);
        return answer ?? result;
      },
      construct: (target, args, made) => {
        want(wants(args));
        // `Reflect.construct` always returns an object, so the cast is safe.
        return Reflect.construct(target, args, made) as object;
      },
    });
    Object.defineProperty(owner, name, { ...property, [part]: proxy });
  };
  const isDrawn = (): Wish => "frames";
  const isLaidOut = (): Wish => "layout in frames";
  for (const name of ["requestAnimationFrame", "webkitRequestAnimationFrame", "requestIdleCallback"])
    noted(window, name, "value", isDrawn);
  for (const name of ["IntersectionObserver", "ResizeObserver"]) noted(window, name, "value", isLaidOut);
  noted(Element.prototype, "animate", "value", isLaidOut);
  noted(Document.prototype, "startViewTransition", "value", isLaidOut);
  for (const name of ["hidden", "webkitHidden"]) noted(Document.prototype, name, "get", isDrawn, false);
  for (const name of ["visibilityState", "webkitVisibilityState"])
    noted(Document.prototype, name, "get", isDrawn, "visible");
  const ofEvent = (name: string): Wish => {
    if (/^(?:webkit)?(?:animation|transition|contentvisibility)/i.test(name)) return "layout in frames";
    return /^(?:webkit)?visibilitychange/i.test(name) ? "frames" : "nothing";
  };
  noted(EventTarget.prototype, "addEventListener", "value", ([type]) => ofEvent(String(type)));
  const handlers =
    "onanimationstart onanimationiteration onanimationend onanimationcancel onwebkitanimationend " +
    "ontransitionrun ontransitionstart ontransitionend ontransitioncancel onwebkittransitionend onvisibilitychange";
  for (const owner of [window, Document.prototype, HTMLElement.prototype, SVGElement.prototype])
    for (const name of handlers.split(" "))
      noted(owner, name, "set", ([handler]) => (handler ? ofEvent(name.slice(2)) : "nothing"));
}
