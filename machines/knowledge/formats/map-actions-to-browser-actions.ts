/**
 * Translates actions of the map to browser actions (`BrowserUseAction`). An element is described by selector,
 * XPath, text and fingerprint. Its index is returned only for a live session, because the index exists only
 * in a running browser.
 */

import type {
  ActionRecord,
  ScreenRecord,
  StateSignature,
  TransitionRecord,
} from "../../records/map-records.ts";
import type { Control } from "../../records/page-control-records.ts";
import { type ActionName, actionNamed } from "../../session/actions/browser-action-names-and-risks.ts";
import type { ElementDescription } from "../../session/controls/find-element-by-locator.ts";
import type { BrowserUseAction } from "../knowledge-protocol.ts";
import { parseControl, type TransitionAction } from "../screens/page-to-screen.ts";

/**
 * An action of a screen in the form in which the map or a document contains it. It is not yet a browser
 * action.
 */
export interface KnownAction {
  readonly action_type: string;
  readonly name: string;
  readonly target?: Control | null;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly description?: string;
  readonly confidence?: number;
  readonly screen_id?: string | null;
}

/** Confidence (0 to 1) that the page still has a control that an earlier visit has seen. */
const OBSERVED_CONTROL = 0.9;

/**
 * For each action, other names of its parameters in the protocol specification. The value of each entry is
 * Cairn's name of the parameter.
 */
const PARAMETER_ALIASES: Partial<Readonly<Record<ActionName, Readonly<Record<string, string>>>>> = {
  navigate: { href: "url", target_url: "url" },
  input: { value: "text" },
  type_slowly: { value: "text" },
  send_keys: { key: "keys" },
  wait: { duration: "seconds", time: "seconds" },
  scroll: { pixels: "amount" },
  select_dropdown: { value: "text", option: "text" },
  upload_file: { file_path: "path", file: "path" },
  evaluate: { script: "code", expression: "code" },
};

/** Parameters that the name of an action determines, such as the direction of `scroll_down`. */
const IMPLIED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  scroll_down: { direction: "down" },
  scroll_up: { direction: "up" },
};

/**
 * Converts an action of the map to a browser action; returns `undefined` for an action that a session cannot
 * do.
 */
export function translateAction(action: KnownAction): BrowserUseAction | undefined {
  const tool = actionNamed(action.action_type);
  if (!tool) return undefined;
  const aliases = PARAMETER_ALIASES[tool] ?? {};
  const parameters: Record<string, unknown> = { ...(action.target ? locate(action.target, tool) : {}) };
  for (const [name, value] of Object.entries({
    ...IMPLIED[action.action_type.toLowerCase()],
    ...action.parameters,
  })) {
    parameters[Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name] = value;
  }
  return {
    tool_name: tool,
    parameters,
    description: action.description ?? describeAction(tool, action),
    confidence: action.confidence ?? OBSERVED_CONTROL,
    screen_id: action.screen_id ?? null,
  };
}

/**
 * Browser actions whose parameter `text` is a value to type, choose or find. For other actions, `text`
 * describes the element.
 */
const TEXT_GOES_IN: ReadonlySet<string> = new Set(["input", "type_slowly", "select_dropdown", "find_text"]);

/**
 * Describes an element by selector, XPath, text and fingerprint, because an index exists only in a session
 * that has analysed the page.
 */
function locate(control: Control, tool: string): Record<string, unknown> {
  const {
    tag,
    landmark: _,
    class: __,
    fields: ___,
    submit: ____,
    choice: _____,
    edited,
    ...attributes
  } = control.attributes;
  // The name is left out for an editor (see below), but not for a button that stands for a hidden select:
  // such a button has a label of its own.
  const isRenamed = edited !== undefined && tag !== "button";
  const fingerprint = {
    role: control.role,
    // Only the map gives an editor the name of the text area that the editor replaces. In the page, the
    // editor has no such name.
    name: isRenamed ? "" : control.name,
    tag,
    attributes,
    ...(control.alone === false || isRenamed ? { alone: false } : {}),
    ...(control.constraints?.caption === undefined ? {} : { caption: control.constraints.caption }),
  };
  // An imported map may state only the selector of a control. The browser action then has neither a text nor a
  // fingerprint, because both would be empty.
  const isDescribed =
    control.role !== "" || control.name !== "" || Object.keys(control.attributes).length > 0;
  return {
    selector: control.selector,
    xpath: control.xpath,
    ...(TEXT_GOES_IN.has(tool) || !isDescribed ? {} : { text: control.name }),
    ...(isDescribed ? { fingerprint } : {}),
  };
}

/**
 * Returns the browser action for a transition to another screen: a click on the link.
 *
 * @param target the screen to which the transition leads; `undefined` for a page that is not on the map
 * @param prefer with `url`, a plain link becomes a `navigate`
 */
export function translateTransition(
  transition: Pick<TransitionRecord, "in" | "action" | "confidence">,
  target: Pick<ScreenRecord, "name"> | undefined,
  prefer: "click" | "url",
): BrowserUseAction | undefined {
  // The cast is safe: the map wrote this field as JSON of `TransitionAction`.
  const action = JSON.parse(transition.action) as TransitionAction;
  const base = { confidence: transition.confidence, screen_id: transition.in[1] };
  const shown = action.name || action.target?.name || "";
  const goal = target?.name || action.url;
  const purpose = goal === "" ? "" : ` to go to ${goal}`;
  if ((prefer === "url" || !action.target) && action.url !== "") {
    return {
      ...base,
      tool_name: "navigate",
      parameters: { url: action.url },
      description: `Open ${action.url}${purpose}`,
    };
  }
  return translateAction({
    ...base,
    action_type: action.action_type,
    name: shown,
    target: action.target,
    parameters: { text: shown },
    description: shown === "" ? `Click the link to ${goal}` : `Click "${shown}"${purpose}`,
  });
}

/**
 * Converts the control of a stored action to a browser action. The caller adds the text to type or the option
 * to choose.
 */
export function translateControl(action: ActionRecord, screenId: string): BrowserUseAction | undefined {
  const target = parseControl(action.target);
  const parameters = parsedParameters(action);
  return translateAction({
    action_type: action.action_type,
    name: action.name,
    ...(target ? { target } : {}),
    ...(parameters ? { parameters } : {}),
    // An imported action whose element has no name has a description in the field `name`.
    ...(!target?.name && action.name !== "" ? { description: action.name } : {}),
    screen_id: screenId,
  });
}

/** Whether the action sends a form without a `<form>`. Its element is then the button that sends the fields. */
export function pressesButtonOfForm({ tool_name, parameters }: BrowserUseAction): boolean {
  const { fingerprint } = parameters;
  // The cast is safe: the map wrote this description of the element.
  const { tag } = (fingerprint ?? {}) as ElementDescription;
  return tool_name === "submit_form" && tag !== undefined && tag !== "form";
}

/** The stored parameters of an action. The cast is safe: the map wrote them as JSON of an object. */
const parsedParameters = ({ parameters }: ActionRecord): KnownAction["parameters"] =>
  parameters ? (JSON.parse(parameters) as Record<string, unknown>) : undefined;

/** Returns an action that opens a screen by its address, for use when no route exists. */
export function openUrl(url: string, name: string, confidence: number): BrowserUseAction {
  return {
    tool_name: "navigate",
    parameters: { url },
    description: `Open ${name} at ${url}`,
    confidence,
    screen_id: null,
  };
}

/**
 * Confidence (0 to 1) that a list of items still contains a link, if the page to which it leads was never
 * visited.
 */
const LISTED_LINK = 0.6;

/**
 * Returns an action that clicks the link to `url` on a list with links to similar addresses. The list may
 * lack this link.
 */
export function clickLinkTo(url: string, name: string, screenId: string): BrowserUseAction {
  const { pathname = url, search = "", hash = "" } = URL.parse(url) ?? {};
  const ending = `${pathname}${search}${hash}`.replace(/["\\]/g, "\\$&");
  return {
    tool_name: "click",
    // The fingerprint contains the address. A walk (an executed route) opens this address if the list does
    // not show the link.
    parameters: { selector: `a[href$="${ending}"]`, fingerprint: { tag: "a", attributes: { href: url } } },
    description: `Click the link to ${pathname}${search}${hash} (${name})`,
    confidence: LISTED_LINK,
    screen_id: screenId,
  };
}

/** The `expected_result` of the protocol specification: what the browser shows after the action. */
export function expectedResult(
  screen: Pick<ScreenRecord, "screen_id" | "url_patterns" | "state_signature">,
): Record<string, unknown> {
  // The cast is safe: the map wrote this field as JSON of `StateSignature`.
  const signature = JSON.parse(screen.state_signature) as StateSignature;
  const texts = signature.required_indicators.flatMap((indicator) =>
    indicator.type === "dom_contains" && indicator.value ? [indicator.value] : [],
  );
  const patterns = signature.required_indicators.flatMap((indicator) =>
    indicator.type === "url_matches" && indicator.pattern ? [indicator.pattern] : [],
  );
  return {
    screen_id: screen.screen_id,
    url_patterns: screen.url_patterns,
    verification: { dom_contains: texts, url_matches: patterns[0] ?? screen.url_patterns[0] ?? null },
  };
}

/** Describes a browser action by the name of its element, for actions without a description of their own. */
export function describeAction(
  tool: string,
  action: Pick<KnownAction, "name" | "target" | "parameters">,
): string {
  const name = action.name === "" ? (action.target?.role ?? "") : action.name;
  switch (tool) {
    case "click":
      return `Click "${name}"`;
    case "input":
      return `Type into "${name}"`;
    case "select_dropdown":
      return `Choose an option of "${name}"`;
    case "upload_file":
      return `Give a file to "${name}"`;
    case "submit_form":
      return `Submit "${name}"`;
    case "navigate":
      return `Open ${String(action.parameters?.url ?? name)}`;
    default:
      return name === "" ? tool : name;
  }
}
