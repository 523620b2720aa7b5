/**
 * The second part of an interactive exploration: presses what is safe to press on one page of each kind, and records
 * which states that shows and how to get there.
 *
 * It works in a browser session of its own, whose requests are held back when they would write. A state is reached
 * again by its page's address and the presses that showed it first.
 */

import { explorationLimits } from "../../../machines/exploration/limits.ts";
import { normaliseUrl, urlKey } from "../../../machines/exploration/normalise-url.ts";
import type { PressInput, PressOutput } from "../../../machines/exploration/press-batch.ts";
import { choosePresses } from "../../../machines/exploration/press-choice.ts";
import { type Scope, scopeOf } from "../../../machines/exploration/scope.ts";
import { isSameState, nameOf, stateSketch } from "../../../machines/exploration/ui-state.ts";
import { WriteGuard } from "../../../machines/exploration/write-guard.ts";
import { type FoundState, type FoundTransition, stateIdOf } from "../../../machines/knowledge/page-state.ts";
import { groupScreens } from "../../../machines/knowledge/screen-groups.ts";
import type { Control } from "../../../machines/records.ts";
import type { AnalysisData, HighlightedElement } from "../../../machines/session/page-snapshot.ts";
import type { BrowserSession } from "../../browser/index.ts";
import type { EffectScope } from "../../runtime/index.ts";
import type { CairnServices } from "../../services.ts";

const { pressing } = explorationLimits;

/** A state with the way to it. */
interface Place {
  readonly url: string;
  readonly path: readonly Press[];
  readonly names: readonly string[];
  readonly sketch: string;
}

/** What was pressed: found again by role and name, else by its place in the tree. */
interface Press {
  readonly name: string;
  readonly role: string;
  readonly xpath: string;
}

export async function pressPages(input: PressInput, scope: EffectScope<CairnServices>): Promise<PressOutput> {
  const guard = new WriteGuard();
  const session = await scope.services.browser.openSession({
    viewport: pressing.viewport,
    guard: (request) => guard.permits(request),
  });
  try {
    return await new PressRun(input, scope, session, guard).run();
  } finally {
    await session.close();
  }
}

class PressRun {
  readonly #input: PressInput;
  readonly #scope: EffectScope<CairnServices>;
  readonly #session: BrowserSession;
  readonly #guard: WriteGuard;
  readonly #within: Scope;
  readonly #until: number;
  /** Pages that were opened or wait, by key. */
  readonly #pages = new Set<string>();
  readonly #queue: string[] = [];
  readonly #known = new Set<string>();
  #actions = 0;
  #states = 0;
  #unsafe = 0;

  constructor(
    input: PressInput,
    scope: EffectScope<CairnServices>,
    session: BrowserSession,
    guard: WriteGuard,
  ) {
    this.#input = input;
    this.#scope = scope;
    this.#session = session;
    this.#guard = guard;
    this.#within = scopeOf(input.request, input.request.start_url, null);
    this.#until = performance.now() + input.max_seconds * 1_000;
  }

  get #spent(): PressOutput["stopped_by"] | undefined {
    if (this.#actions >= this.#input.max_actions) return "max_actions";
    return performance.now() >= this.#until ? "max_seconds" : undefined;
  }

  async run(): Promise<PressOutput> {
    for (const url of await this.#representatives()) this.#add(url);
    for (let url = this.#queue.shift(); url !== undefined && !this.#spent; url = this.#queue.shift()) {
      this.#scope.signal.throwIfAborted();
      await this.#explorePage(url);
    }
    return {
      actions: this.#actions,
      states: this.#states,
      unsafe: this.#unsafe,
      held: this.#guard.held.length,
      stopped_by: this.#spent ?? "nothing_left",
    };
  }

  #add(url: string): void {
    const key = urlKey(url);
    if (this.#pages.has(key) || this.#pages.size >= this.#input.request.max_pages) return;
    this.#pages.add(key);
    this.#queue.push(url);
  }

  /** One page of each screen that the links have shown, the start page first. */
  async #representatives(): Promise<readonly string[]> {
    const { store } = this.#scope.services;
    const { knowledge_id, website_id, start_url } = this.#input.request;
    const structures = new Map(await store.screens.structures(knowledge_id));
    const screens = (await store.screens.outlines(knowledge_id)).filter(
      (screen) => screen.website_id === website_id,
    );
    for (const { screen_id } of screens) this.#known.add(screen_id);
    const groups = groupScreens(
      screens.map(({ screen_id, url }) => ({
        screen_id,
        url,
        structure: structures.get(screen_id) ?? "",
        site_wide: false,
      })),
    );
    const urls = groups.flatMap(({ instances: [first] }) => first?.url ?? []);
    return [start_url, ...urls.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))];
  }

  /** Presses through the states of a page, breadth first. */
  async #explorePage(url: string): Promise<void> {
    const base = await this.#reach({ url, path: [], names: [], sketch: "" });
    if (!base) return;
    const states: Place[] = [{ url, path: [], names: [], sketch: base.sketch }];
    await this.#tell([this.#stateOf(states[0] as Place, base.page)], []);
    for (const place of states) {
      let fruitless = 0;
      const start = place === states[0] ? base : await this.#reach(place);
      if (!start) continue;
      const { press, unsafe } = choosePresses(start.page.highlightedElements);
      this.#unsafe += unsafe.length;
      // What an earlier state offers was pressed there.
      const fresh = place === states[0] ? press : press.filter((element) => !isIn(base.page, element));
      let shown: { readonly page: AnalysisData; readonly sketch: string } | undefined = start;
      for (const element of fresh) {
        if (this.#spent || fruitless >= pressing.fruitless) break;
        shown ??= await this.#reach(place);
        if (!shown) break;
        const after = await this.#pressed(shown.page, pressOf(element));
        if (!after) {
          fruitless += 1;
          shown = undefined;
          continue;
        }
        if (urlKey(after.page.url) !== urlKey(place.url)) {
          await this.#left(place, element, after);
          shown = undefined;
          fruitless = 0;
          continue;
        }
        if (isSameState(after.sketch, shown.sketch)) {
          fruitless += 1;
          // The page is as it was, so the next one is pressed right here.
          shown = after;
          continue;
        }
        const known = states.find((other) => isSameState(other.sketch, after.sketch));
        const next: Place = known ?? {
          url: place.url,
          path: [...place.path, pressOf(element)],
          names: [...place.names, nameOf(element) || element.role || element.tagName],
          sketch: after.sketch,
        };
        const found = known ? [] : [this.#stateOf(next, after.page)];
        await this.#tell(found, [transition(place, next, element)]);
        fruitless = known ? fruitless + 1 : 0;
        if (!known && next.path.length < pressing.depth && states.length < pressing.states) states.push(next);
        shown = undefined;
      }
    }
  }

  /** A press that led to another address: a screen of its own, whose page is explored, too. */
  async #left(
    place: Place,
    element: HighlightedElement,
    after: { readonly page: AnalysisData; readonly sketch: string },
  ) {
    const url = normaliseUrl(after.page.url);
    if (url === undefined || !this.#within.isInternal(url)) return;
    const target: Place = { url, path: [], names: [], sketch: after.sketch };
    const id = stateIdOf(urlKey(url), []);
    const found = this.#known.has(id) ? [] : [this.#stateOf(target, after.page)];
    await this.#tell(found, [transition(place, target, element)]);
    this.#add(url);
  }

  /** Shows a state: opens its page and presses what led to it. `undefined` when it cannot be reached. */
  async #reach(place: Place): Promise<{ readonly page: AnalysisData; readonly sketch: string } | undefined> {
    const { reader } = this.#scope.services;
    const { signal } = this.#scope;
    this.#guard.loading = true;
    const opened = await reader.visitPolitely(
      place.url,
      { signal, inScope: () => true, respectRobots: this.#input.request.respect_robots },
      async () => ({ kind: "opened" as const, outcome: await this.#session.open(place.url) }),
    );
    if (opened.kind !== "opened" || !opened.outcome.success) return undefined;
    let shown = await this.#shown();
    this.#guard.loading = false;
    for (const press of place.path) {
      if (!shown) return undefined;
      const after: { readonly page: AnalysisData; readonly sketch: string } | undefined = await this.#pressed(
        shown.page,
        press,
      );
      shown = after;
    }
    // A state that looks otherwise now is not pressed on.
    return shown && place.sketch !== "" && !isSameState(shown.sketch, place.sketch) ? undefined : shown;
  }

  async #shown(): Promise<{ readonly page: AnalysisData; readonly sketch: string } | undefined> {
    try {
      const page = await this.#session.analyze({
        viewport_only: false,
        include_left_out: false,
        highlight: false,
        include_text: true,
      });
      return {
        page,
        sketch: stateSketch({ elements: page.highlightedElements, headings: headingsOf(page) }),
      };
    } catch (error) {
      if (this.#scope.signal.aborted) throw error;
      // A native dialog is open, or the page is gone: the state is left.
      await this.#dismiss();
      return undefined;
    }
  }

  async #pressed(page: AnalysisData, press: Press) {
    const element = find(page, press);
    if (!element) return undefined;
    this.#actions += 1;
    const outcome = await this.#session.perform(
      { name: "click", params: { index: element.highlight_index } },
      async () => this.#scope.signal.throwIfAborted(),
    );
    if (outcome.data.dialog !== undefined || outcome.data.code === "dialog_open") {
      await this.#dismiss();
      return undefined;
    }
    if (!outcome.success) return undefined;
    return await this.#shown();
  }

  /** Answers a native dialog with no. */
  async #dismiss(): Promise<void> {
    await this.#session.perform({ name: "handle_dialog", params: { accept: false } }, async () => {});
  }

  #stateOf(place: Place, page: AnalysisData): FoundState {
    const headings = headingsOf(page);
    const own = headings[0] ?? page.title;
    const name = place.names.length === 0 ? own : `${own}: ${place.names.join(", ")}`;
    const texts = [...headings, ...page.highlightedElements.map(nameOf)];
    return {
      website_id: this.#input.request.website_id,
      url: place.url,
      key: urlKey(place.url),
      path: place.names,
      name: name.slice(0, pressing.nameLength),
      texts: [...new Set(texts)].slice(0, pressing.texts),
      structure: place.sketch,
    };
  }

  /** Sends what was found to the map, through the job's machine. Pages that the map has stay as they are. */
  async #tell(found: readonly FoundState[], transitions: readonly FoundTransition[]): Promise<void> {
    const states = found.filter((state) => !this.#known.has(stateIdOf(state.key, state.path)));
    for (const state of states) this.#known.add(stateIdOf(state.key, state.path));
    this.#states += states.length;
    if (states.length + transitions.length === 0) return;
    await this.#scope.notify({
      type: "PRESSED",
      states,
      transitions,
      counts: { actions: this.#actions, states: this.#states },
    });
  }
}

function transition(from: Place, to: Place, element: HighlightedElement): FoundTransition {
  return {
    from: stateIdOf(urlKey(from.url), from.names),
    to: stateIdOf(urlKey(to.url), to.names),
    name: nameOf(element),
    control: controlOf(element),
  };
}

function controlOf(element: HighlightedElement): Control {
  const { role, tagName, selector, xpath, attributes } = element;
  return {
    role: role ?? tagName,
    name: nameOf(element),
    selector,
    xpath,
    attributes: { ...attributes, tag: tagName },
  };
}

function pressOf(element: HighlightedElement): Press {
  return { name: nameOf(element), role: element.role ?? element.tagName, xpath: element.xpath };
}

/** The element of an earlier press: by role and name where that is unique, else at the same place. */
function find(
  { highlightedElements }: AnalysisData,
  { name, role, xpath }: Press,
): HighlightedElement | undefined {
  const named = highlightedElements.filter(
    (element) => name !== "" && nameOf(element) === name && (element.role ?? element.tagName) === role,
  );
  const [only] = named;
  if (only && named.length === 1) return only;
  return (named.length > 1 ? named : highlightedElements).find((element) => element.xpath === xpath);
}

function isIn(page: AnalysisData, element: HighlightedElement): boolean {
  return find(page, pressOf(element)) !== undefined;
}

function headingsOf({ text_content = "" }: AnalysisData): readonly string[] {
  return text_content.split("\n").flatMap((line) => /^#{1,6} (.+)/.exec(line)?.[1] ?? []);
}
