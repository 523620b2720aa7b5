/**
 * The browser session of an exploration that presses elements: it opens pages, presses elements and undoes
 * presses. Requests that would write to the site are blocked.
 */
import { setTimeout as pause } from "node:timers/promises";
import { normaliseUrl, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { explorationLimits } from "../../../machines/exploration/exploration-limits.ts";
import type { PressStep } from "../../../machines/exploration/press/controls-to-press.ts";
import {
  coveringLayer,
  isCovered,
  layerControl,
} from "../../../machines/exploration/press/covering-layer.ts";
import {
  nameOf,
  stateFeatures,
  stateSketchOf,
} from "../../../machines/exploration/press/page-state-by-visible-controls.ts";
import { ExpectedButtons } from "../../../machines/exploration/press/whether-to-wait-for-buttons.ts";
import type { WriteGuard } from "../../../machines/exploration/press/write-request-guard.ts";
import type { ActionOutcome } from "../../../machines/session/actions/action-outcome.ts";
import type { Action } from "../../../machines/session/actions/browser-action-parameters.ts";
import { sampleValue } from "../../../machines/session/controls/sample-field-values.ts";
import { formPath } from "../../../machines/session/page/form-of-element.ts";
import type { AnalysisData, HighlightedElement } from "../../../machines/session/page/page-snapshot.ts";
import {
  type BrowserSession,
  type OriginStorage,
  type ScreenPicture,
  withoutIds,
} from "../../browser/index.ts";

const { pressing } = explorationLimits;

/**
 * A snapshot of the page that the session shows, with a text (key) by which it is compared with other
 * snapshots.
 */
export interface Shown {
  readonly page: AnalysisData;
  readonly key: string;
  readonly features: ReadonlySet<string>;
  readonly sketch: string;
  readonly headings: readonly string[];
}

export type Pressed =
  | {
      readonly kind: "shown";
      readonly shown: Shown;
      readonly element: HighlightedElement;
      /** Present if the press caused a request that would have changed data. The request was blocked. */
      readonly blocked?: true;
    }
  /** The press opened a native dialog for confirmation, which was dismissed. */
  | { readonly kind: "unsafe" }
  | { readonly kind: "failed" }
  | { readonly kind: "absent" };

interface OpenOptions {
  /** The expected sketch (hashes of features) of the page, which an earlier visit recorded. */
  readonly expected?: string | undefined;
  /** Whether a picture of the page is taken when it has settled. */
  readonly takesPicture: boolean;
}

interface SettleOptions {
  /**
   * The expected sketch (hashes of features) of the page. As soon as the page has this sketch, it counts as
   * settled.
   */
  readonly expected?: string | undefined;
}

export interface PressSessionOptions {
  readonly guard: WriteGuard;
  readonly signal: AbortSignal;
  /**
   * Whether the exploration has signed in. The site's browser storage is then not restored after presses. A
   * press may have stored a new access token there, and the site may end the sign-in if the old token is used
   * again.
   */
  readonly isSignedIn: boolean;
}

export class PressSession {
  readonly guard: WriteGuard;
  readonly #session: BrowserSession;
  readonly #signal: AbortSignal;
  readonly #isSignedIn: boolean;
  /** True if the status code of the last opened page shows that the site blocks the visitor, such as 403. */
  isRefused = false;
  #isConsentAnswered = false;
  /**
   * The site's browser storage from before the latest presses. It is restored afterwards, because a press may
   * have stored a theme or a closed side bar. An exploration that signs in leaves the storage as it is.
   */
  #storage: OriginStorage | undefined;
  /**
   * A picture of the page that was taken before the page had settled, and the page's sketch (hashes of
   * features) at that time.
   */
  #early: { readonly picture: ScreenPicture; readonly sketch: string } | undefined;
  /**
   * Number of pages in a row that did not change any more after they had settled for the first time. If it is high
   * enough, the session waits for a shorter time for later changes of a page.
   */
  #promptPages = 0;
  /**
   * Texts such as "Loading…" and requests such as long polls that were still there after the maximum wait.
   * The session no longer waits for them.
   */
  readonly #lasting = new Set<string>();
  /**
   * For each layer (an element over the page, such as a dialog): the number of opened pages on which the
   * layer did not close in time.
   */
  readonly #lastingLayers = new Map<string, number>();
  /** Layers (elements such as dialogs over the page) that the Escape key did not close. */
  readonly #ignoresEscape = new Set<string>();
  readonly #expectedButtons = new ExpectedButtons();
  /** Addresses of windows that presses of controls have opened. Each window was closed at once. */
  readonly windows: string[] = [];

  constructor(session: BrowserSession, { guard, signal, isSignedIn }: PressSessionOptions) {
    this.#session = session;
    this.guard = guard;
    this.#signal = signal;
    this.#isSignedIn = isSignedIn;
  }

  get browser(): BrowserSession {
    return this.#session;
  }

  /** Opens an address. Returns `undefined` when no page was loaded. */
  async open(url: string, { expected, takesPicture }: OpenOptions): Promise<Shown | undefined> {
    this.guard.loading = true;
    const log = { since: 0, limit: 1, type: "document", failed: false, include_headers: false };
    const { next_since } = this.#session.resources.network(log);
    try {
      const before = this.#session.url;
      if (this.#storage) await this.#session.restoreOriginStorage(this.#storage);
      let outcome = before === url ? await this.#reload() : await this.#session.open(url);
      if (dialogOf(outcome) === "beforeunload") {
        outcome = await this.#perform({ name: "handle_dialog", params: { accept: true } });
        if (outcome.success) outcome = await this.#session.open(url);
      } else if (dialogOf(outcome) !== undefined) await this.dismiss();
      if (!outcome.success && dialogOf(outcome) === undefined) return undefined;
      const { requests } = this.#session.resources.network({ ...log, since: next_since, limit: DOCUMENTS });
      this.isRefused = REFUSED.has(requests.findLast(({ status }) => status !== undefined)?.status ?? 0);
      let arrived = await this.#arrived({ expected, takesPicture });
      if (before !== url && differsOnlyInFragment(before, url) && arrived?.sketch !== expected) {
        await this.#reload();
        arrived = await this.#arrived({ expected, takesPicture });
      }
      const shown = arrived && (await this.#declineConsent(arrived)) ? await this.settled() : arrived;
      this.guard.loading = false;
      const uncovered = shown && (await this.#uncover(shown));
      if (!this.#isSignedIn) this.#storage = await this.#session.originStorage();
      return uncovered;
    } finally {
      this.guard.loading = false;
    }
  }

  /**
   * Waits until an opened page shows one of the buttons that an earlier visit has found. A large application
   * may show its frame long before its content. After several pages without their buttons, the session no
   * longer waits for buttons.
   */
  async withOneOf(arrived: Shown, buttons: readonly string[]): Promise<Shown | undefined> {
    const until = performance.now() + pressing.showsButtonsWithin;
    let shown: Shown | undefined = arrived;
    while (shown && this.#expectedButtons.areAwaited(shown.page.highlightedElements, buttons)) {
      if (performance.now() >= until) {
        this.#expectedButtons.giveUp();
        break;
      }
      await pause(pressing.uncoversEvery);
      shown = await this.settled();
    }
    return shown;
  }

  /**
   * Loads the document again. For an application whose routes are URL fragments, opening the address would
   * keep the document with its open dialogs and menus.
   */
  #reload(): Promise<ActionOutcome> {
    return this.#perform({ name: "refresh", params: {} });
  }

  /**
   * Waits until an opened page shows its content. If several pages in a row were complete at once, the wait
   * is shorter.
   */
  async #arrived({ expected, takesPicture }: OpenOptions): Promise<Shown | undefined> {
    const isPrompt = this.#promptPages >= pressing.promptPages;
    const { arrivesWithin, arrivesPrompt } = pressing;
    const settled = await this.settled({ expected });
    const least = isPrompt ? arrivesPrompt : arrivesWithin;
    if (!settled || settled.sketch === expected) return settled;
    // To save time, the picture is taken during the pause. It is used only if the page has not changed after
    // the pause.
    const [picture] = await Promise.all([takesPicture ? this.#takePicture() : undefined, pause(least)]);
    if (picture) this.#early = { picture, sketch: settled.sketch };
    const later = await this.settled({ expected: settled.sketch });
    this.#promptPages = later?.sketch === settled.sketch ? this.#promptPages + 1 : 0;
    return later;
  }

  /**
   * Closes layers that cover the opened page, such as a welcome dialog. It presses Escape, or clicks a
   * control that closes or declines. A layer stays if closing it changes the address, because the layer is
   * then the content of that address.
   */
  async #uncover(arrived: Shown): Promise<Shown> {
    let shown = arrived;
    for (let layers = 0; layers < pressing.layers && isCovered(shown.page.highlightedElements); layers++) {
      const next =
        (await this.#escapeLayer(shown)) ??
        (await this.#pressClosing(shown)) ??
        (await this.#uncoveredLater(shown));
      if (!next) break;
      shown = next;
    }
    return shown;
  }

  /**
   * Closes a layer, such as a dialog, by Escape. The key is not sent to a layer that has ignored it before.
   */
  async #escapeLayer(shown: Shown): Promise<Shown | undefined> {
    const layer = layerOf(shown);
    if (this.#ignoresEscape.has(layer)) return undefined;
    const after = await this.#closeLayer(shown, () => this.escape());
    if (!after) this.#ignoresEscape.add(layer);
    return after;
  }

  /**
   * Waits until a layer without a closing control disappears, such as the progress bar of an application that
   * is starting.
   */
  async #uncoveredLater(covered: Shown): Promise<Shown | undefined> {
    const layer = layerOf(covered);
    const lasted = this.#lastingLayers.get(layer) ?? 0;
    if (lasted >= pressing.lastingLayers) return undefined;
    const until = performance.now() + pressing.uncoversWithin;
    while (performance.now() < until) {
      await pause(pressing.uncoversEvery);
      const shown = await this.settled();
      if (!shown || !isCovered(shown.page.highlightedElements)) return shown;
    }
    this.#lastingLayers.set(layer, lasted + 1);
    return undefined;
  }

  async #pressClosing(shown: Shown): Promise<Shown | undefined> {
    const control = layerControl(shown.page.highlightedElements);
    if (!control) return undefined;
    this.guard.begin(`layer ${nameOf(control)}`);
    return await this.#closeLayer(shown, async () => {
      const params = { index: control.highlight_index };
      const outcome = await this.#perform({ name: "click", params });
      if (dialogOf(outcome) !== undefined) await this.dismiss();
      return await this.settled();
    });
  }

  /**
   * Closes a layer that covers the page, such as a dialog, by calling `close`. If the page has changed,
   * returns its new snapshot, so that the caller can close the next layer. If the address has changed, goes
   * back to the earlier page and returns `undefined`.
   */
  async #closeLayer(before: Shown, close: () => Promise<Shown | undefined>): Promise<Shown | undefined> {
    const after = await close();
    if (!after) return undefined;
    if (after.key !== before.key) {
      await this.back();
      return undefined;
    }
    return after.sketch === before.sketch ? undefined : after;
  }

  /**
   * Declines a cookie banner once, because it would cover the elements to press. Returns whether there was a
   * banner. The search takes seconds, so it only runs on pages that mention cookies or consent, or that load
   * resources from other hosts.
   */
  async #declineConsent({ page }: Shown): Promise<boolean> {
    if (this.#isConsentAnswered) return false;
    const words = [page.text_content ?? "", ...page.highlightedElements.map(nameOf)];
    if (!words.some((text) => CONSENT.test(text)) && !this.#loadsFromOtherHosts(page.url)) return false;
    this.#isConsentAnswered = true;
    const { success, data } = await this.#perform({ name: "accept_cookies", params: { choice: "reject" } });
    return success && data.found !== false;
  }

  /**
   * Whether the page loads resources from another host. Many consent banners are loaded from a separate
   * service.
   */
  #loadsFromOtherHosts(url: string): boolean {
    const { host } = new URL(url);
    return this.#session.resources
      .network({ since: 0, limit: REQUESTS, failed: false, include_headers: false })
      .requests.some((request) => /^https?:/i.test(request.url) && new URL(request.url).host !== host);
  }

  /**
   * Presses an element of the shown page.
   *
   * @param expected the state to which an earlier press of this element led, as a sketch (hashes of the
   * state's features)
   */
  async press({ page, sketch }: Shown, step: PressStep, expected?: string): Promise<Pressed> {
    const element = findElement(page, step);
    if (!element) return { kind: "absent" };
    this.guard.begin(`${step.role} ${step.name} ${step.xpath.replace(/\[\d+\]/g, "")}`);
    const outcome = await this.#carryOut(element, step, page);
    const dialog = dialogOf(outcome);
    if (dialog !== undefined) {
      await this.dismiss(dialog === "beforeunload");
      return { kind: "unsafe" };
    }
    await this.#closeWindows(outcome);
    if (!outcome.success && outcome.data.pressed !== true) return { kind: "failed" };
    const shown = await this.#settledAfter(outcome, sketch, expected);
    if (!shown) return { kind: this.guard.blamed ? "unsafe" : "failed" };
    return { kind: "shown", shown, element, ...(this.guard.blamed ? { blocked: true } : {}) };
  }

  /**
   * Waits for the effect of a press. If the page has neither changed at once nor sent a request, the press
   * usually has no effect. Then the page is compared only once more, after a pause.
   */
  async #settledAfter(
    { data }: ActionOutcome,
    before: string,
    expected: string | undefined,
  ): Promise<Shown | undefined> {
    const isIdle = data.changes === 0 && this.#session.pendingAddresses.length === 0;
    if (!isIdle) return await this.settled({ expected });
    await pause(pressing.reactsWithin);
    return await this.settled({ expected: expected ?? before });
  }

  /**
   * Goes back to the previous page.
   *
   * @param expected the expected sketch (hashes of features) of that page
   */
  async back(expected?: string): Promise<Shown | undefined> {
    const outcome = await this.#perform({ name: "go_back", params: {} });
    if (dialogOf(outcome) !== undefined) await this.dismiss(true);
    return outcome.success ? await this.settled({ expected }) : undefined;
  }

  /**
   * Presses the Escape key.
   * @param expected the sketch (hashes of features) of the state that the key restores
   */
  async escape(expected?: string): Promise<Shown | undefined> {
    const outcome = await this.#perform({ name: "send_keys", params: { keys: "Escape" } });
    return outcome.success ? await this.settled({ expected }) : undefined;
  }

  /**
   * Answers a native dialog, by default with "cancel".
   *
   * @param accept true accepts the dialog. Without it, a page that asks before it is left (`beforeunload`) stays
   */
  async dismiss(accept = false): Promise<void> {
    await this.#perform({ name: "handle_dialog", params: { accept } });
  }

  /**
   * Waits until two snapshots in a row are equal and no request is running, but at most for a limited time.
   * Returns the last snapshot.
   */
  async settled({ expected }: SettleOptions = {}): Promise<Shown | undefined> {
    const startedAt = performance.now();
    const until = startedAt + pressing.settleWithin;
    let before: string | undefined;
    for (;;) {
      const shown = await this.shown();
      if (!shown) return undefined;
      const pending = [...loadingTexts(shown), ...this.#session.pendingAddresses.map(endpointOf)];
      const waited = pending.filter((one) => !this.#lasting.has(one));
      if (waited.length === 0 && (shown.sketch === expected || shown.sketch === before)) return shown;
      if (performance.now() >= until) {
        for (const one of waited) this.#lasting.add(one);
        return shown;
      }
      before = shown.sketch;
      await pause(pressing.settleEvery);
    }
  }

  async shown(): Promise<Shown | undefined> {
    try {
      const page = await this.#session.analyze({
        viewport_only: false,
        include_left_out: false,
        highlight: false,
        include_text: true,
      });
      const headings = headingsOf(page);
      const features = stateFeatures({ elements: page.highlightedElements, headings });
      return {
        page,
        key: urlKey(normaliseUrl(page.url) ?? page.url),
        features,
        sketch: stateSketchOf(features),
        headings,
      };
    } catch (error) {
      this.#signal.throwIfAborted();
      // The page shows a native dialog or was closed, so no snapshot is possible. The caller then opens
      // another page.
      void error;
      await this.dismiss();
      return undefined;
    }
  }

  /** Returns a small picture of the page as it is shown; `undefined` if no picture can be taken. */
  async picture({ sketch }: Shown): Promise<ScreenPicture | undefined> {
    const early = this.#early;
    this.#early = undefined;
    return early?.sketch === sketch ? early.picture : await this.#takePicture();
  }

  async #takePicture(): Promise<ScreenPicture | undefined> {
    try {
      return await this.#session.picture();
    } catch {
      this.#signal.throwIfAborted();
      // The picture fails if the page shows a native dialog or was closed. The screen then has no picture.
      return undefined;
    }
  }

  async #carryOut(
    element: HighlightedElement,
    { kind }: PressStep,
    page: AnalysisData,
  ): Promise<ActionOutcome> {
    const index = element.highlight_index;
    if (kind === "hover") return await this.#perform({ name: "hover", params: { index } });
    if (kind === "advance") await this.#fill(element, page);
    if (kind === "click" || kind === "advance")
      return await this.#perform({ name: "click", params: { index } });
    const typed = await this.#perform({ name: "input", params: { index, text: wordOf(page), clear: true } });
    return typed.success ? await this.#perform({ name: "send_keys", params: { keys: "Enter" } }) : typed;
  }

  /**
   * Fills the empty required fields of a form with sample values. The values reach the site only in requests
   * that read, because requests that write are blocked.
   */
  async #fill(button: HighlightedElement, page: AnalysisData): Promise<void> {
    const form = formPath(button);
    for (const field of page.highlightedElements) {
      const isEmpty = field.required && (field.value ?? "") === "";
      if (formPath(field) !== form || !isEmpty || field.interactionType !== "input") continue;
      const text = sampleValue(field.type);
      await this.#perform({ name: "input", params: { index: field.highlight_index, text, clear: true } });
    }
  }

  /** Closes the windows that an action has opened. Their addresses are recorded before. */
  async #closeWindows({ data }: ActionOutcome): Promise<void> {
    const opened = data.opened_tabs;
    if (!Array.isArray(opened) || opened.length === 0) return;
    const { tabs } = await this.#session.context();
    for (const tab of [...opened].sort((a, b) => b - a)) {
      const url = tabs[tab]?.url;
      if (url !== undefined) this.windows.push(url);
      await this.#perform({ name: "close", params: { tab } });
    }
  }

  #perform(action: Action): Promise<ActionOutcome> {
    this.#early = undefined;
    return this.#session.perform(action, async () => this.#signal.throwIfAborted());
  }
}

/** HTTP status codes by which a site refuses a visitor. */
const REFUSED = new Set([401, 403, 429, 503]);
/** Matches words of cookie banners, in several languages. */
const CONSENT = /cookie|consent|gdpr|dsgvo|datenschutz|rgpd|your privacy/i;
/** Maximum number of requests of a page whose hosts are compared with the page's host. */
const REQUESTS = 200;
/** Maximum number of documents in one navigation, including redirects. */
const DOCUMENTS = 20;
/** Matches texts that a page shows while its content is loading, in several languages. */
const LOADING = /^(?:loading|please wait|lädt|wird geladen|chargement|cargando)\b/i;

/**
 * Returns a text that identifies the layer (such as a dialog) over a page. It contains the site's origin, the
 * layer, and the control that closes the layer.
 */
function layerOf({ page }: Shown): string {
  const control = layerControl(page.highlightedElements);
  const closedBy = control ? nameOf(control) : "";
  return `${new URL(page.url).origin} ${coveringLayer(page.highlightedElements)} ${closedBy}`;
}

function loadingTexts({ page, headings }: Shown): readonly string[] {
  return [...headings, ...page.highlightedElements.map(nameOf)].filter((text) => LOADING.test(text));
}

function differsOnlyInFragment(a: string, b: string): boolean {
  const [left, right] = [a, b].map((url) => url.replace(/#.*/s, ""));
  return left === right;
}

/** Returns the address of a request without its query, numbers and ids, which vary between repeated requests. */
function endpointOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${withoutIds(pathname).replace(/\d+/g, "#")}`;
}

function dialogOf({ data }: ActionOutcome): string | undefined {
  const { dialog, code } = data;
  if (typeof dialog === "object" && dialog !== null && "type" in dialog) return String(dialog.type);
  return code === "dialog_open" ? "unknown" : undefined;
}

/**
 * Finds the element of an earlier press: by role and name when they are unique, otherwise by its place in the
 * document.
 */
export function findElement(
  { highlightedElements }: AnalysisData,
  { name, role, xpath }: PressStep,
): HighlightedElement | undefined {
  const named = highlightedElements.filter(
    (element) => name !== "" && nameOf(element) === name && (element.role ?? element.tagName) === role,
  );
  const [only] = named;
  if (only && named.length === 1) return only;
  return (named.length > 1 ? named : highlightedElements).find((element) => element.xpath === xpath);
}

function headingsOf({ text_content = "" }: AnalysisData): readonly string[] {
  return text_content.split("\n").flatMap((line) => /^#{1,6} (.+)/.exec(line)?.[1] ?? []);
}

/** Returns a word from the text of the page, so that a search for it has results. */
function wordOf({ text_content = "" }: AnalysisData): string {
  const words = text_content.match(/\p{L}{4,15}/gu) ?? [];
  return words[Math.floor(words.length / 2)] ?? "test";
}
