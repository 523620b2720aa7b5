/**
 * Converts a visited page to a screen: URL pattern, signature, actions and transitions. The screen is
 * `web_ui` and actionable, unless the page is plain text. Its indicators are texts of the page's headings,
 * buttons, inputs and links.
 */
import { urlKey } from "../../exploration/crawl/normalise-url.ts";
import type {
  ActionRecord,
  Indicator,
  ScreenRecord,
  StateSignature,
  TransitionRecord,
} from "../../records/map-records.ts";
import type { Control, PageControls } from "../../records/page-control-records.ts";
import type { PageLink, PageRecord } from "../../records/page-records.ts";
import type { KnowledgeId, UrlKey } from "../../records/record-ids.ts";
import { hasNativePicker } from "../../session/controls/inputs-with-native-picker.ts";
import { specificPattern } from "../addresses/screen-url-pattern.ts";
import { metadataOf } from "./page-record-metadata.ts";
import { screenIdOf, shortHash, slug } from "./screen-id.ts";
import { tidy } from "./screen-name-from-title.ts";
import { edgeId } from "./transition-id.ts";

/** A stored page without its content. The page's screen, actions and edges are derived from these fields. */
export type MappedPage = Pick<
  PageRecord,
  | "id"
  | "knowledge_id"
  | "website_id"
  | "url"
  | "media_type"
  | "title"
  | "headings"
  | "controls"
  | "structure"
  | "links"
  | "metadata"
  | "fetched_at"
  | "rendered_by"
  | "role"
>;

/**
 * Maximum length in characters of a text by which a screen is recognised (indicator), from the protocol
 * specification.
 */
const MAX_INDICATOR = 50;

/**
 * Media type of plain texts. The browser shows them without links and controls, so they are documents and not
 * screens: the sources of pages that Sphinx writes below `_sources`, and the patches and plain files of cgit.
 */
const PLAIN_TEXT = "text/plain";

type ElementKind = "heading" | "button" | "input" | "link";

/**
 * Maximum number of required texts (indicators) for each kind of element. Further texts are optional. The
 * number is small, because more than half of the required texts must be found: with a long list, a page that
 * has changed a little would not be recognised.
 */
const REQUIRED: Readonly<Record<ElementKind, number>> = { heading: 5, button: 4, input: 4, link: 4 };
/**
 * If a page has at least this number of texts outside of links, no text of a link is required to recognise
 * its screen. Links change more often than other texts.
 */
const ENOUGH_WITHOUT_LINKS = 3;
/**
 * Maximum number of optional texts (indicators) of a screen for each kind of element. If several screens
 * match a page equally well, these texts decide.
 */
const OPTIONAL = 10;

/** For each kind of element: its CSS selector, as in the protocol specification. */
const SELECTORS: Readonly<Record<ElementKind, string>> = {
  heading: "h1, h2, h3, .page-title, .screen-title",
  button: 'button, .btn, [role="button"]',
  input: 'input, label, [role="textbox"]',
  link: 'a, [role="link"]',
};

/**
 * Words that occur in instructions to an agent, from the protocol specification. A text with such a word is
 * not used as an indicator of a screen.
 */
const INSTRUCTION_WORDS = [
  "instruction",
  "protocol",
  "guideline",
  "conversational",
  "phone call",
  "voice assistant",
  "follow-up question",
  "empathetic listener",
];

/** Confidence (0 to 1) that a link on a fetched page still leads to its target. */
export const OBSERVED_LINK = 0.95;

/**
 * Maximum number of controls of one page that become actions. A page with more is a data grid, whose rows do
 * not belong on a map.
 */
const MOST_ACTIONS = 200;

/**
 * Maximum number of links from one page to one screen that become transitions. Further links to that screen
 * are repetitions, such as anchors in a table of contents.
 */
const MOST_WAYS = 4;

/** Returns the stored controls of a page; empty if none are stored. */
export function controlsOf(page: Pick<PageRecord, "controls" | "headings">): PageControls {
  const empty: PageControls = { headings: page.headings, buttons: [], inputs: [], forms: [] };
  if (page.controls === "") return empty;
  // The cast is safe: the page reader wrote this field as JSON of `PageControls`. Fields missing in older
  // rows are filled in.
  const stored = JSON.parse(page.controls) as Partial<PageControls>;
  return { ...empty, ...stored };
}

/**
 * Builds the screen of a visited page.
 *
 * @param name the result of `screenName`
 *
 * @param links the links of the page, as `linksOfPage` returns them
 */
export function screenOf(
  page: MappedPage,
  name: string,
  links: readonly PageLink[],
  at: number,
): ScreenRecord {
  const screenId = screenIdOf(page.id[1]);
  const isDocument = page.media_type === PLAIN_TEXT;
  return {
    id: [page.knowledge_id, screenId],
    knowledge_id: page.knowledge_id,
    website_id: page.website_id,
    screen_id: screenId,
    name,
    content_type: isDocument ? "documentation" : "web_ui",
    is_actionable: !isDocument,
    url: page.url,
    page_key: page.id[1],
    url_patterns: [specificPattern(page.url)],
    state_signature: JSON.stringify(signatureOf(page, links)),
    trail: trailOf(page),
    ...(page.structure === undefined ? {} : { structure: page.structure }),
    updated_at: at,
  };
}

function trailOf(page: MappedPage): string {
  const { breadcrumbs } = metadataOf(page);
  return breadcrumbs.length === 0 ? "" : JSON.stringify(breadcrumbs);
}

/**
 * Returns the headings among the screen's indicators (texts by which it is recognised). They show what the
 * page is about.
 */
export function headingsOf({ state_signature }: Pick<ScreenRecord, "state_signature">): readonly string[] {
  // The cast is safe: the map wrote this field as JSON of `StateSignature`.
  const { required_indicators, optional_indicators } = JSON.parse(state_signature) as StateSignature;
  return [...required_indicators, ...optional_indicators].flatMap(({ selector, value }) =>
    selector === SELECTORS.heading && value !== undefined ? [value] : [],
  );
}

/** The signature of a screen: its URL, and texts of its elements of at most 50 characters each. */
export function signatureOf(
  page: Pick<PageRecord, "url" | "headings" | "controls">,
  links: readonly PageLink[],
): StateSignature {
  const controls = controlsOf(page);
  const seen = new Set<string>();
  const required: Indicator[] = [];
  const optional: Indicator[] = [];
  const add = (kind: ElementKind, needed: number, texts: Iterable<string>) => {
    let [requiredLeft, optionalLeft] = [needed, OPTIONAL];
    for (const text of texts) {
      const value = indicatorText(text);
      if (value === undefined || seen.has(value.toLowerCase())) continue;
      if (requiredLeft + optionalLeft === 0) return;
      seen.add(value.toLowerCase());
      const reason = `UI element for screen recognition: ${kind}`;
      const indicator: Indicator = { type: "dom_contains", value, selector: SELECTORS[kind], reason };
      if (requiredLeft > 0) {
        requiredLeft -= 1;
        required.push(indicator);
      } else {
        optionalLeft -= 1;
        optional.push(indicator);
      }
    }
  };
  add("heading", REQUIRED.heading, controls.headings.length > 0 ? controls.headings : page.headings);
  add("button", REQUIRED.button, names(controls.buttons));
  add("input", REQUIRED.input, names(controls.inputs));
  // Links in the content come before navigation links, because most pages of the site have the same
  // navigation.
  const internal = links.filter((link) => link.kind === "internal" && !link.framed);
  const own = internal.filter((link) => !isNavigation(link.control));
  const needed = required.length < ENOUGH_WITHOUT_LINKS ? REQUIRED.link : 0;
  add(
    "link",
    needed,
    (own.length > 0 ? own : internal).map((link) => link.text),
  );
  required.push({
    type: "url_matches",
    pattern: specificPattern(page.url),
    reason: "URL pattern for screen recognition",
  });
  return { required_indicators: required, optional_indicators: optional };
}

function names(controls: readonly Control[]): readonly string[] {
  return controls.map((control) => control.name);
}

/**
 * Converts a text of a page to an indicator, by which a screen is recognised. Returns `undefined` when the
 * text is too short, too long, a list number or instruction text.
 */
export function indicatorText(text: string): string | undefined {
  const value = tidy(text).replace(/^(?:\d+|[A-Z])(?:\.\d+)*[.)]\s+|^\d+(?:\.\d+)+\s+/u, "");
  if (value.length < 2 || value.length > MAX_INDICATOR) return undefined;
  const lower = value.toLowerCase();
  if (lower.startsWith("your ")) return undefined;
  if (INSTRUCTION_WORDS.some((word) => lower.includes(word))) return undefined;
  return /[\p{L}\p{N}]/u.test(value) ? value : undefined;
}

function isNavigation({ attributes }: Control): boolean {
  const landmark = attributes.landmark ?? "";
  return landmark !== "" && landmark !== "main";
}

/** Parses a stored `Control`; returns `undefined` for an empty text. */
export function parseControl(json: string): Control | undefined {
  // The cast is safe: the map stores each control as JSON of `Control`.
  return json === "" || json === "null" ? undefined : (JSON.parse(json) as Control);
}

/** The object that is stored as JSON in `TransitionRecord.action`. */
export interface TransitionAction {
  /**
   * What the user does. With `redirect`, the user does nothing, because the browser itself goes to another
   * page.
   */
  readonly action_type: "click" | "hover" | "redirect";
  /** The visible text of the link; empty when the link is an image. */
  readonly name: string;
  readonly target: Control | null;
  readonly url: string;
}

/**
 * Returns the transitions of a page, one for each internal link. Links to the page itself are left out.
 *
 * @param proven counts of successes and failures of stored transitions, by screen and `edgeId`
 */
export function transitionsOf(
  page: Pick<PageRecord, "id" | "fetched_at" | "rendered_by">,
  links: readonly PageLink[],
  proven: ReadonlyMap<string, Pick<TransitionRecord, "successes" | "failures">>,
): TransitionRecord[] {
  const [knowledgeId] = page.id;
  const from = screenIdOf(page.id[1]);
  const byTarget = Map.groupBy(
    links.filter((link) => link.kind === "internal" && !link.framed && urlKey(link.url) !== page.id[1]),
    (link) => screenIdOf(urlKey(link.url)),
  );
  return [...byTarget].flatMap(([to, leading]) =>
    waysOf(leading).map(({ link, mark }): TransitionRecord => {
      const via = edgeId(to, mark);
      const action: TransitionAction = {
        action_type: "click",
        name: tidy(link.text),
        target: link.control,
        url: link.url,
      };
      const counts = proven.get(`${from}\n${via}`);
      return {
        in: [knowledgeId, from],
        out: [knowledgeId, to],
        ...(mark === "" ? {} : { via }),
        knowledge_id: knowledgeId,
        action: JSON.stringify(action),
        successes: counts?.successes ?? 0,
        failures: counts?.failures ?? 0,
        inferred: false,
        confidence: OBSERVED_LINK,
        source: page.rendered_by === "browser" ? "rendered" : "http",
        seen_at: page.fetched_at,
      };
    }),
  );
}

/**
 * A link of the page to a screen. If several links lead to the same screen, the first has no `mark`, and each
 * other link is distinguished by its `mark`.
 */
interface Way {
  readonly link: PageLink;
  readonly mark: string;
}

/**
 * Returns the links from the page to the screen, in reverse order. Of links with equal names only the last is
 * returned, because a user cannot distinguish them.
 */
function waysOf(links: readonly PageLink[]): readonly Way[] {
  const ways = new Map<string, Way>();
  for (const link of links.toReversed()) {
    const name = tidy(link.text);
    if (ways.size >= MOST_WAYS || ways.has(name) || (name === "" && ways.size > 0)) continue;
    ways.set(name, { link, mark: ways.size === 0 ? "" : `${link.control.role} ${name}` });
  }
  return [...ways.values()];
}

/** Whether the transition stands for a redirect of the server. */
export function isRedirect({ action }: Pick<TransitionRecord, "action">): boolean {
  // The cast is safe: the map wrote this field as JSON of `TransitionAction`.
  return (JSON.parse(action) as TransitionAction).action_type === "redirect";
}

/**
 * Returns the transition that leads from a redirecting URL to the screen of the redirect's target page. By
 * this transition, links to the redirecting URL lead to that screen.
 */
export function redirectOf(knowledgeId: KnowledgeId, from: UrlKey, to: UrlKey): TransitionRecord {
  const action: TransitionAction = { action_type: "redirect", name: "", target: null, url: to };
  return {
    in: [knowledgeId, screenIdOf(from)],
    out: [knowledgeId, screenIdOf(to)],
    knowledge_id: knowledgeId,
    action: JSON.stringify(action),
    successes: 0,
    failures: 0,
    inferred: false,
    confidence: 1,
  };
}

/** Returns the id of the screen that offers an action. The id of the action contains this id. */
export function screenOfAction(actionId: string): string {
  return actionId.slice(0, actionId.lastIndexOf("."));
}

export function actionsOf(
  page: Pick<MappedPage, "id" | "knowledge_id" | "controls" | "headings">,
): ActionRecord[] {
  return actionsOfControls(page.knowledge_id, screenIdOf(page.id[1]), controlsOf(page), placeMark);
}

/** Returns the place of a control in its document, which stays the same when the page is read again. */
const placeMark = ({ selector, xpath }: Control): string => `${selector}\n${xpath}`;

/**
 * Returns the actions for the controls that a press has added to a page. Scripts often create the elements of
 * a dialog with other ids and places each time. So an action is identified by its role, its name and the name of the
 * group around it: "No access" may be an option of the groups "Orders" and "Products".
 */
export function actionsOfState(
  knowledgeId: KnowledgeId,
  screenId: string,
  controls: ActionControls,
): ActionRecord[] {
  return actionsOfControls(knowledgeId, screenId, controls, ({ role, constraints }) =>
    [role, ...(constraints?.group === undefined ? [] : [constraints.group])].join("\n"),
  );
}

/** The controls from which actions are made. */
export type ActionControls = Pick<PageControls, "buttons" | "inputs" | "forms">;

/**
 * Returns the actions for controls.
 *
 * @param markOf returns what distinguishes a control from other controls with the same name
 */
function actionsOfControls(
  knowledgeId: KnowledgeId,
  screenId: string,
  controls: ActionControls,
  markOf: (target: Control) => string,
): ActionRecord[] {
  const actions = new Map<string, ActionRecord>();
  const add = (actionType: string, name: string, target: Control) => {
    if (actions.size >= MOST_ACTIONS) return;
    const mark = shortHash(`${actionType}\n${markOf(target)}\n${name}`);
    const actionId = `${screenId}.${[actionType, slug(name).slice(0, 24), mark].filter((part) => part !== "").join("_")}`;
    actions.set(actionId, {
      id: [knowledgeId, actionId],
      knowledge_id: knowledgeId,
      action_id: actionId,
      action_type: actionType,
      name,
      target: JSON.stringify(target),
    });
  };
  for (const button of controls.buttons) add("click", tidy(button.name), button);
  for (const input of controls.inputs) add(inputAction(input), tidy(input.name), input);
  for (const [index, form] of controls.forms.entries()) {
    const target = form.control ?? formControl(form, index, controls.forms.length);
    add("submit_form", target.name, target);
  }
  return [...actions.values()];
}

/** Returns the action for a form field: select, check, upload or type. */
function inputAction(input: Control): string {
  const tag = (input.attributes.tag ?? "").toLowerCase();
  const type = (input.attributes.type ?? "").toLowerCase();
  // A button or element that opens a list of options (Vuetify, Material UI) is handled as a select list.
  const opensOptions = input.attributes["aria-haspopup"] === "listbox";
  if (tag === "select" || input.role === "combobox" || input.role === "listbox" || opensOptions) {
    // A combobox whose options the page has in a hidden select takes only these options (Tom Select), so one
    // of them is chosen and no text is typed.
    return tag === "input" && !input.constraints?.options ? "input" : "select_dropdown";
  }
  if (type === "file") return "upload_file";
  if (["checkbox", "radio", "submit", "button", "image", "reset"].includes(type)) return "click";
  if (["checkbox", "radio", "switch", "button"].includes(input.role)) return "click";
  // Nothing can be typed into a read-only field, so an option is chosen from the list that a click opens
  // (Directus, Element UI, Vuetify 2).
  if (tag === "input" && input.attributes.readonly !== undefined && !hasNativePicker(type))
    return "select_dropdown";
  return "input";
}

function formControl(form: PageControls["forms"][number], index: number, count: number): Control {
  const path = (URL.parse(form.action, "http://page.invalid/")?.pathname ?? form.action) || "/";
  return {
    role: "form",
    name: form.fields.length > 0 ? `Form with ${form.fields.join(", ")}` : `Form to ${path}`,
    // If a page has several forms, each form needs a more specific selector than `form`.
    selector: count === 1 ? "form" : `form[action$="${path.replace(/["\\]/g, "\\$&")}"]`,
    // Forms are listed in document order, so the XPath selects the form by its position.
    xpath: `(//form)[${index + 1}]`,
    attributes: {
      tag: "form",
      action: form.action,
      method: form.method,
      fields: form.fields.join(", "),
      ...(form.submit === undefined ? {} : { submit: form.submit }),
    },
  };
}
