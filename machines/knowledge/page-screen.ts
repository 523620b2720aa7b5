/**
 * A visited page as a screen: URL pattern, signature, actions and transitions.
 * A visited page is always `web_ui` and actionable; the keyword rules of the protocol specification are for
 * prose. Its indicators are texts of its DOM: headings, buttons, inputs, links.
 */
import { urlKey } from "../exploration/normalise-url.ts";
import type {
  ActionRecord,
  Control,
  Indicator,
  KnowledgeId,
  PageControls,
  PageLink,
  PageRecord,
  ScreenRecord,
  StateSignature,
  TransitionRecord,
  UrlKey,
} from "../records.ts";
import { screenIdOf, shortHash, slug } from "./screen-id.ts";
import { tidy } from "./screen-name.ts";
import { metadataOf } from "./stored-metadata.ts";
import { specificPattern } from "./url-pattern.ts";

/** The page without its text: the source of the screen, its actions and its edges. */
export type MappedPage = Pick<
  PageRecord,
  | "id"
  | "knowledge_id"
  | "website_id"
  | "url"
  | "title"
  | "headings"
  | "controls"
  | "structure"
  | "links"
  | "metadata"
  | "fetched_at"
  | "rendered_by"
>;

/** Maximum characters of an indicator, from the protocol specification. */
export const MAX_INDICATOR = 50;

type ElementKind = "heading" | "button" | "input" | "link";

/**
 * Required indicators of each kind. The formula asks for half of them, so a long list would make a slightly
 * changed page unrecognisable. The rest is optional.
 */
const REQUIRED: Readonly<Record<ElementKind, number>> = { heading: 5, button: 4, input: 4, link: 4 };
/** Links change with the content, so they are required only when there are fewer other texts than this. */
const ENOUGH_WITHOUT_LINKS = 3;
/** Optional indicators of each kind. */
const OPTIONAL = 10;

/** Selectors of each element kind, from the protocol specification. */
const SELECTORS: Readonly<Record<ElementKind, string>> = {
  heading: "h1, h2, h3, .page-title, .screen-title",
  button: 'button, .btn, [role="button"]',
  input: 'input, label, [role="textbox"]',
  link: 'a, [role="link"]',
};

/**
 * Marks of instruction text, from the protocol specification. Such a phrase is no control that identifies a
 * screen.
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

/** Confidence that a link seen on a fetched page still leads to its target. */
export const OBSERVED_LINK = 0.95;

/** Controls of one page that become actions. A page with more is a data grid, whose rows do not belong on a map. */
const MOST_ACTIONS = 200;

/** The controls of a page; empty for a page without them. */
export function controlsOf(page: Pick<PageRecord, "controls" | "headings">): PageControls {
  const empty: PageControls = { headings: page.headings, buttons: [], inputs: [], forms: [] };
  if (page.controls === "") return empty;
  // The reader wrote it as JSON of `PageControls`; fields missing in older rows are empty.
  const stored = JSON.parse(page.controls) as Partial<PageControls>;
  return { ...empty, ...stored };
}

/** The screen of a visited page. `name` comes from `screenName`, `links` are the page's own. */
export function screenOf(
  page: MappedPage,
  name: string,
  links: readonly PageLink[],
  at: number,
): ScreenRecord {
  const screenId = screenIdOf(page.id[1]);
  return {
    id: [page.knowledge_id, screenId],
    knowledge_id: page.knowledge_id,
    website_id: page.website_id,
    screen_id: screenId,
    name,
    content_type: "web_ui",
    is_actionable: true,
    url: page.url,
    page_key: page.id[1],
    url_patterns: [specificPattern(page.url)],
    state_signature: JSON.stringify(signatureOf(page, links)),
    trail: trailOf(page),
    ...(page.structure ? { structure: page.structure } : {}),
    updated_at: at,
  };
}

function trailOf(page: MappedPage): string {
  const { breadcrumbs } = metadataOf(page);
  return breadcrumbs.length === 0 ? "" : JSON.stringify(breadcrumbs);
}

/** The headings among the indicators: what the page is about. */
export function headingsOf({ state_signature }: Pick<ScreenRecord, "state_signature">): readonly string[] {
  // This kind wrote it as JSON of `StateSignature`.
  const { required_indicators, optional_indicators } = JSON.parse(state_signature) as StateSignature;
  return [...required_indicators, ...optional_indicators].flatMap(({ selector, value }) =>
    selector === SELECTORS.heading && value !== undefined ? [value] : [],
  );
}

/** The signature of a screen: texts of its elements, at most 50 characters each, and its URL. */
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
  // Links of the content say more about the page than the navigation that all pages share.
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

/** A text as an indicator; `undefined` when it is too short, too long, a list number or instruction text. */
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

/** A stored `Control`; `undefined` for an empty text. */
export function parseControl(json: string): Control | undefined {
  // The writer of the row stored it as JSON of `Control`.
  return json === "" || json === "null" ? undefined : (JSON.parse(json) as Control);
}

/** The content of `TransitionRecord.action`, stored as JSON. */
export interface TransitionAction {
  /** `redirect`: the page shows another page's screen, without a user's action. */
  readonly action_type: "click" | "hover" | "redirect";
  /** The visible text of the link; empty for an image. */
  readonly name: string;
  readonly target: Control | null;
  readonly url: string;
}

/**
 * The transitions of a page's internal links, except links to itself.
 *
 * @param proven counts of the stored transitions, by screen and `edgeId`
 */
export function transitionsOf(
  page: Pick<PageRecord, "id" | "fetched_at" | "rendered_by">,
  links: readonly PageLink[],
  proven: ReadonlyMap<string, Pick<TransitionRecord, "successes" | "failures">>,
): TransitionRecord[] {
  const [knowledgeId] = page.id;
  const from = screenIdOf(page.id[1]);
  const transitions = new Map<string, TransitionRecord>();
  for (const link of links) {
    const key = urlKey(link.url);
    if (link.kind !== "internal" || link.framed || key === page.id[1]) continue;
    const to = screenIdOf(key);
    const action: TransitionAction = {
      action_type: "click",
      name: tidy(link.text),
      target: link.control,
      url: link.url,
    };
    const counts = proven.get(`${from}\n${to}`);
    transitions.set(to, {
      in: [knowledgeId, from],
      out: [knowledgeId, to],
      knowledge_id: knowledgeId,
      action: JSON.stringify(action),
      successes: counts?.successes ?? 0,
      failures: counts?.failures ?? 0,
      inferred: false,
      confidence: OBSERVED_LINK,
      source: page.rendered_by === "browser" ? "rendered" : "http",
      seen_at: page.fetched_at,
    });
  }
  return [...transitions.values()];
}

/** A URL that shows another page's screen, as a transition, so that links to the URL lead to that screen. */
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

/** The screen of an action, from the action's id. */
export function screenOfAction(actionId: string): string {
  return actionId.slice(0, actionId.lastIndexOf("."));
}

/** The actions of a page besides its links. */
export function actionsOf(page: MappedPage): ActionRecord[] {
  const screenId = screenIdOf(page.id[1]);
  const controls = controlsOf(page);
  const actions = new Map<string, ActionRecord>();
  const add = (actionType: string, name: string, target: Control) => {
    if (actions.size >= MOST_ACTIONS) return;
    const mark = shortHash(`${actionType}\n${target.selector}\n${target.xpath}\n${name}`);
    const actionId = `${screenId}.${[actionType, slug(name).slice(0, 24), mark].filter((part) => part !== "").join("_")}`;
    actions.set(actionId, {
      id: [page.knowledge_id, actionId],
      knowledge_id: page.knowledge_id,
      action_id: actionId,
      action_type: actionType,
      name,
      target: JSON.stringify(target),
    });
  };
  for (const button of controls.buttons) add("click", tidy(button.name), button);
  for (const input of controls.inputs) add(inputAction(input), tidy(input.name), input);
  for (const [index, form] of controls.forms.entries()) {
    const target = formControl(form, index, controls.forms.length);
    add("submit_form", target.name, target);
  }
  return [...actions.values()];
}

/** How a field is used: select, check, upload, or type. */
function inputAction(input: Control): string {
  const tag = (input.attributes.tag ?? "").toLowerCase();
  const type = (input.attributes.type ?? "").toLowerCase();
  if (tag === "select" || input.role === "combobox" || input.role === "listbox") {
    return tag === "input" ? "input" : "select_dropdown";
  }
  if (type === "file") return "upload_file";
  if (["checkbox", "radio", "submit", "button", "image", "reset"].includes(type)) return "click";
  if (["checkbox", "radio", "switch", "button"].includes(input.role)) return "click";
  return "input";
}

function formControl(form: PageControls["forms"][number], index: number, count: number): Control {
  const path = (URL.parse(form.action, "http://page.invalid/")?.pathname ?? form.action) || "/";
  return {
    role: "form",
    name: form.fields.length > 0 ? `Form with ${form.fields.join(", ")}` : `Form to ${path}`,
    // With a second form, `form` would mean both.
    selector: count === 1 ? "form" : `form[action$="${path.replace(/["\\]/g, "\\$&")}"]`,
    // Forms are listed in document order.
    xpath: `(//form)[${index + 1}]`,
    attributes: { tag: "form", action: form.action, method: form.method, fields: form.fields.join(", ") },
  };
}
