/**
 * Converts a form that a task has found in a session to the states and transitions of the map, in the shape in which
 * explorations report them. So the next task needs no search.
 */
import { normaliseUrl, urlKey } from "../../exploration/crawl/normalise-url.ts";
import type { Control } from "../../records/page-control-records.ts";
import type { SessionPage } from "../../session/page/session-page-links-and-forms.ts";
import { shortSketch } from "./page-feature-sketch.ts";
import {
  type FoundState,
  type FoundTransition,
  STATE_NAME_SEPARATOR,
  stateIdOf,
} from "./page-states-to-map-instances.ts";
import type { ActionControls } from "./page-to-screen.ts";

/** A link or button that led from one page to another. */
export interface LiveStep {
  readonly from: SessionPage;
  readonly control: Control;
  readonly name: string;
}

/** A form that was found in a session. */
export interface LiveForm {
  /** The page with the form; for a form that a button shows, the page with the button. */
  readonly page: SessionPage;
  readonly name: string;
  /** The link by which the page was opened; missing if the session already showed the page. */
  readonly link?: LiveStep;
  /** The button that has shown the form, with the controls that it added and the page after the press. */
  readonly press?: {
    readonly control: Control;
    readonly name: string;
    readonly controls: ActionControls;
    readonly after: SessionPage;
  };
}

export interface LiveFindings {
  readonly states: readonly FoundState[];
  readonly transitions: readonly FoundTransition[];
}

/** Maximum number of texts by which a state is recognised. */
const TEXTS = 60;
/** Maximum length of the name of a state, in characters. */
const NAME_LENGTH = 100;

/**
 * Returns the states and transitions that the map lacks.
 *
 * @param known ids of screens that the map has
 */
export function findingsOf(form: LiveForm, website_id: string, known: ReadonlySet<string>): LiveFindings {
  const stateOf = (
    page: SessionPage,
    { path, name, controls }: { path: readonly string[]; name: string; controls: ActionControls },
  ): FoundState => ({
    website_id,
    url: addressOf(page.url),
    key: urlKey(addressOf(page.url)),
    path,
    name: name.slice(0, NAME_LENGTH),
    texts: [...new Set([...page.headings, ...controls.buttons.map((button) => button.name)])].slice(0, TEXTS),
    structure: shortSketch(page.structure),
    controls,
  });
  const { page, name, link, press } = form;
  const own = stateOf(page, { path: [], name, controls: page.controls });
  const ownId = stateIdOf(own.key, []);
  const states: FoundState[] = known.has(ownId) ? [] : [own];
  const transitions: FoundTransition[] = [];
  const from = link && stateIdOf(urlKey(addressOf(link.from.url)), []);
  if (link && from !== undefined && known.has(from) && from !== ownId && !known.has(ownId))
    transitions.push({ from, to: ownId, name: link.name, control: link.control, url: addressOf(page.url) });
  if (press) {
    const { controls, after, control } = press;
    const isSamePage = urlKey(addressOf(after.url)) === own.key;
    const [heading = after.title] = after.headings;
    const shown = isSamePage
      ? stateOf(page, { path: [press.name], name: `${name}${STATE_NAME_SEPARATOR}${press.name}`, controls })
      : stateOf(after, { path: [], name: heading, controls });
    const id = stateIdOf(shown.key, shown.path);
    states.push(known.has(id) ? { ...shown, known: true } : shown);
    if (!known.has(id)) transitions.push({ from: ownId, to: id, name: press.name, control });
  }
  return { states, transitions };
}

/**
 * Returns the ids of the screens that belong to a form: its pages, and the state in which a button shows it.
 * The map may have some of them already.
 */
export function screensOfForm({ page, link, press }: LiveForm): readonly string[] {
  const ids = [page, ...(link ? [link.from] : []), ...(press ? [press.after] : [])].map(({ url }) =>
    stateIdOf(urlKey(addressOf(url)), []),
  );
  const state = press ? [stateIdOf(urlKey(addressOf(page.url)), [press.name])] : [];
  return [...new Set([...ids, ...state])];
}

const addressOf = (url: string): string => normaliseUrl(url) ?? url;
