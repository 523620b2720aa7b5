/**
 * What runs inside a page: waiting until it is quiet, and writing it down.
 *
 * These functions are sent as their own source and run in an isolated world: the page's scripts neither see them nor
 * can replace what they use. Each must therefore stand alone, using its arguments and the page only.
 */

export interface QuietOptions {
  /** Milliseconds, each; see `limits.browser`. */
  readonly quiet: number;
  readonly emptyQuiet: number;
  readonly within: number;
  readonly textChanges: number;
}

/**
 * Resolves with true when the document has been parsed and did not change for `quiet` milliseconds from this call on,
 * with false when that did not come `within` the time.
 */
export function becomesQuiet({ quiet, emptyQuiet, within, textChanges }: QuietOptions): Promise<boolean> {
  // The isolated world's own globals, which last as long as the document.
  const world = globalThis as unknown as { watch?: { last: number; drawn: boolean } };
  if (!world.watch) {
    const watch = { last: performance.now(), drawn: false };
    // What scripts put off until a frame is drawn has happened by the second.
    requestAnimationFrame(() => {
      requestAnimationFrame(() => {
        watch.drawn = true;
      });
    });
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
      if (records.some(counts)) watch.last = performance.now();
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

  const from = performance.now();
  return new Promise((resolve) => {
    const look = (): void => {
      const now = performance.now();
      if (now - from >= within) {
        resolve(false);
        return;
      }
      let left = quiet - (now - Math.max(watch.last, from));
      if (left <= 0 && document.readyState === "loading") left = quiet / 2;
      // A page that is not drawn, or shows nothing: it may only be late.
      if (left <= 0 && quiet < emptyQuiet && (!watch.drawn || isEmpty()))
        left = emptyQuiet - (now - Math.max(watch.last, from));
      if (left <= 0) resolve(true);
      else setTimeout(look, Math.min(Math.max(left, 5), quiet));
    };
    setTimeout(look, quiet);
  });
}

export interface WrittenPage {
  readonly url: string;
  readonly contentType: string;
  readonly html: string;
  readonly frames: readonly { readonly url: string; readonly html: string }[];
  /** True: it is longer than asked for, and `html` is empty. */
  readonly tooLarge: boolean;
}

/**
 * The document as HTML of at most `most` characters, with open shadow roots, and beside it the documents of the same
 * origin in its frames.
 */
export function writtenPage({
  most,
  mostFrames,
}: {
  readonly most: number;
  readonly mostFrames: number;
}): WrittenPage {
  const frames: { url: string; html: string }[] = [];

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
    for (const root of [target, ...shadowRoots]) {
      collect(root);
      // Nobody with scripts sees it; the page is left after this.
      for (const unseen of root.querySelectorAll("noscript")) unseen.remove();
    }
    const doctype = target.doctype ? `<!DOCTYPE ${target.doctype.name}>` : "";
    if (shadowRoots.length === 0) return doctype + element.outerHTML;
    const shell = (element.cloneNode(false) as Element).outerHTML; // A clone of an element is one.
    const end = shell.lastIndexOf("</");
    return doctype + shell.slice(0, end) + element.getHTML({ shadowRoots }) + shell.slice(end);
  };

  const collect = (root: Document | ShadowRoot): void => {
    for (const frame of root.querySelectorAll<HTMLIFrameElement | HTMLFrameElement>("iframe, frame")) {
      // `null` where the origin is another; an empty frame says nothing.
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
