/**
 * Computes from the description of a fixture application what is true about it: its screens, transitions and
 * distances.
 */
import type { AppAction, AppDescription, AppScreen, FormField } from "./fixture-app-description.ts";

export interface TrueTransition {
  readonly from: string;
  readonly to: string;
  /** Name of the action that causes the transition. It is unique on its screen. */
  readonly action: string;
  readonly label: string;
  readonly by: AppAction["by"];
  /** Whether the transition changes data on the server. */
  readonly writes: boolean;
  readonly risky: boolean;
  /** Form fields that must be filled in before this transition. */
  readonly needs: readonly FormField[];
  /**
   * `signed-in`: only signed-in users have the transition. `signed-out`: only users who are not signed in.
   */
  readonly only: AppAction["only"] | undefined;
  /** Whether the transition starts at a row of a list and opens the record in this row. */
  readonly row: boolean;
}

export interface ReachOptions {
  /** Whether a signed-in user is assumed. The default is false. */
  readonly signedIn?: boolean;
  /** Whether transitions that change data may be used. The default is false. */
  readonly writes?: boolean;
  /** Whether controls with a label that sounds like a change of data may be used. The default is true. */
  readonly risks?: boolean;
  /** Whether transitions that require fields to be filled in may be used. The default is true. */
  readonly fills?: boolean;
}

export class AppTruth {
  readonly screens: readonly AppScreen[];
  readonly transitions: readonly TrueTransition[];
  readonly start: string;
  readonly #byId: ReadonlyMap<string, AppScreen>;
  readonly #description: AppDescription;

  constructor(description: AppDescription) {
    this.#description = description;
    this.screens = description.screens;
    this.start = description.start;
    this.#byId = new Map(description.screens.map((screen) => [screen.id, screen]));
    this.transitions = description.screens.flatMap((screen) => this.#transitionsOf(screen));
  }

  screen(id: string): AppScreen {
    const screen = this.#byId.get(id);
    if (!screen) throw new Error(`${this.#description.name} has no screen "${id}"`);
    return screen;
  }

  /** Returns the page on which a screen is shown. For a page, this is the screen itself. */
  pageOf(id: string): AppScreen {
    const screen = this.screen(id);
    return screen.place.kind === "page" ? screen : this.pageOf(screen.place.over);
  }

  /** Returns the path pattern of a screen's page, such as `/orders/{order}`. */
  pathOf(id: string): string {
    const { place } = this.pageOf(id);
    return place.kind === "page" ? place.path : "";
  }

  /**
   * Returns the layers of an application that are visible while a screen is shown, from the lowest to the
   * highest: page, tab or step, dialogs.
   */
  layersOf(id: string): readonly AppScreen[] {
    const screen = this.screen(id);
    return screen.place.kind === "page" ? [screen] : [...this.layersOf(screen.place.over), screen];
  }

  /** Returns the page at a path, with the values of the parameters in the path. */
  pageAt(
    pathname: string,
  ): { readonly screen: AppScreen; readonly parameters: Record<string, string> } | undefined {
    for (const screen of this.screens) {
      if (screen.place.kind !== "page") continue;
      const parameters = matchPath(screen.place.path, pathname);
      if (parameters) return { screen, parameters };
    }
    return undefined;
  }

  /** Returns the id of the page at a URL. */
  screenAt(url: string): string | undefined {
    return this.pageAt(new URL(url, "http://app").pathname)?.screen.id;
  }

  /**
   * Returns the screen that is shown after using the controls with these labels, one after another. Returns
   * `undefined` if a control does not exist.
   */
  after(from: string, labels: readonly string[]): string | undefined {
    let here = from;
    for (const label of labels) {
      const next = this.transitions.find(
        (transition) => transition.from === here && transition.label.toLowerCase() === label.toLowerCase(),
      );
      if (!next) return undefined;
      here = next.to;
    }
    return here;
  }

  /** Returns the minimum number of transitions from one screen to another; `undefined` if no route exists. */
  distance(from: string, to: string, options: ReachOptions = {}): number | undefined {
    return this.#distances(from, options).get(to);
  }

  /**
   * Returns the transitions that a map may lack without being wrong. Each of them can be replaced by other
   * transitions that lead from its source to its target.
   */
  replaceable(options: ReachOptions = {}): readonly TrueTransition[] {
    return this.transitions.filter((transition) => {
      const { from, to, writes, risky, row, needs, only } = transition;
      if (writes || risky || row || from === to || needs.length > 0 || only !== undefined) return false;
      return this.#distances(from, options, transition).has(to);
    });
  }

  /** Returns all screens that can be reached from the start screen. The start screen is included. */
  reachable(options: ReachOptions = {}): readonly string[] {
    return [...this.#distances(this.start, options).keys()];
  }

  #distances(
    from: string,
    { signedIn = false, writes = false, fills = true, risks = true }: ReachOptions,
    without?: TrueTransition,
  ): ReadonlyMap<string, number> {
    const distances = new Map([[from, 0]]);
    const queue = [from];
    for (const here of queue) {
      for (const transition of this.transitions) {
        const { from: source, to, writes: changes, risky, needs, only } = transition;
        if (transition === without) continue;
        if (source !== here || (changes && !writes) || (risky && !risks) || (needs.length > 0 && !fills))
          continue;
        if (only !== undefined && (only === "signed-in") !== signedIn) continue;
        const shown = this.screen(to).signedIn === true && !signedIn ? SIGN_IN : to;
        if (distances.has(shown)) continue;
        distances.set(shown, (distances.get(here) ?? 0) + 1);
        queue.push(shown);
      }
    }
    return distances;
  }

  #transitionsOf(screen: AppScreen): readonly TrueTransition[] {
    const layers = this.layersOf(screen.id);
    const own = [...(screen.actions ?? [])].map((action) => transition(screen, action));
    const rows = screen.parts.flatMap((part) =>
      part.kind === "table" || part.kind === "endless"
        ? [
            {
              ...rowTransition(screen, part.to),
              label: this.#description.collections[part.collection]?.label ?? "",
            },
          ]
        : [],
    );
    if (screen.place.kind === "dialog") {
      const close = { id: CLOSE, label: "Close", to: screen.place.over, by: "press" } as const;
      return [...own, ...rows, transition(screen, close)];
    }
    const [page] = layers;
    const navigation = this.#description.navigation.map((action) => transition(screen, action));
    // The actions of a page are above its tabs, so they are visible with every tab.
    const above =
      page && screen.place.kind === "tab"
        ? (page.actions ?? []).map((action) => transition(screen, action))
        : [];
    return [
      ...own,
      ...above,
      ...rows,
      ...this.tabsOf(screen.id).map((action) => transition(screen, action)),
      ...navigation,
    ].filter(({ to, from }) => to !== from);
  }

  /**
   * Returns the actions that open the other tabs of the page with the screen `id`; empty if the page has no
   * tabs.
   */
  tabsOf(id: string): readonly AppAction[] {
    const page = this.pageOf(id);
    const others = this.screens.flatMap(({ id: to, place }) =>
      place.kind === "tab" && place.over === page.id
        ? [{ id: `tab-${to}`, label: place.label, to, by: "press" as const }]
        : [],
    );
    if (others.length === 0 || page.place.kind !== "page") return [];
    return [
      { id: `tab-${page.id}`, label: page.place.tab ?? page.heading, to: page.id, by: "press" },
      ...others,
    ];
  }
}

/** Id of the action that closes a dialog. */
export const CLOSE = "close";
/**
 * Id of the sign-in screen. A user who is not signed in sees it instead of any screen that needs a sign-in.
 */
export const SIGN_IN = "sign-in";

function transition(screen: AppScreen, action: AppAction): TrueTransition {
  const fields = screen.parts.flatMap((part) => (part.kind === "form" ? part.fields : []));
  return {
    from: screen.id,
    to: action.to,
    action: action.id,
    label: action.label,
    by: action.by,
    writes: action.effect !== undefined,
    risky: action.risky === true,
    needs:
      action.by === "submit"
        ? fields.filter(({ required, value }) => required === true && value === undefined)
        : [],
    only: action.only,
    row: false,
  };
}

function rowTransition(screen: AppScreen, to: string): TrueTransition {
  return {
    from: screen.id,
    to,
    action: `row-${to}`,
    label: "",
    by: "link",
    writes: false,
    risky: false,
    needs: [],
    only: undefined,
    row: true,
  };
}

/** Returns the parameters of a path that matches a pattern; `undefined` when it does not match. */
export function matchPath(template: string, pathname: string): Record<string, string> | undefined {
  const [wanted, given] = [template.split("/"), pathname.replace(/(.)\/$/, "$1").split("/")];
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== value : !/^\d+$/.test(value)) return undefined;
    if (name !== undefined) parameters[name] = value;
  }
  return parameters;
}

export function fillPath(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? "1");
}
