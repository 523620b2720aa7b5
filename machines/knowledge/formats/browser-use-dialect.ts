/** Translates actions to the names and parameters of browser-use 0.13, for agents that run its tools. */
import { type ActionName, actionNamed } from "../../session/actions/browser-action-names-and-risks.ts";
import type { BrowserUseAction } from "../knowledge-protocol.ts";
import { pressesButtonOfForm } from "./map-actions-to-browser-actions.ts";

/**
 * The parameters of each action that browser-use has. An action that browser-use lacks has the value
 * `undefined`.
 */
const PARAMETERS: Partial<Readonly<Record<ActionName, readonly string[]>>> = {
  navigate: ["url"],
  go_back: [],
  wait: ["seconds"],
  click: ["index"],
  input: ["index", "text", "clear"],
  upload_file: ["index", "path"],
  extract: ["query"],
  scroll: ["down", "pages", "index"],
  send_keys: ["keys"],
  find_text: ["text"],
  screenshot: [],
  save_as_pdf: ["print_background", "landscape", "scale", "paper_format"],
  dropdown_options: ["index"],
  select_dropdown: ["index", "text"],
  evaluate: ["code"],
};

/**
 * Parameters by which an action finds its element without an index. browser-use does not know these
 * parameters, so the agent passes them to Cairn.
 */
const LOCATORS = ["fingerprint", "selector"];

/** Parameters that change the effect of a Cairn action and that browser-use does not have. */
const INEXPRESSIBLE = ["files", "value"];

/**
 * Returns the action in browser-use's form; `undefined` if browser-use lacks the action or cannot do it with
 * these parameters.
 */
export function inBrowserUseDialect(action: BrowserUseAction): BrowserUseAction | undefined {
  const name = pressesButtonOfForm(action) ? "click" : actionNamed(action.tool_name);
  const known = name && PARAMETERS[name];
  if (!known || INEXPRESSIBLE.some((key) => key in action.parameters)) return undefined;
  if (name === "extract" && !("query" in action.parameters)) return undefined;
  const given = name === "scroll" ? scrollInPages(action.parameters) : action.parameters;
  const kept = "index" in given ? known : [...known, ...(known.includes("index") ? LOCATORS : [])];
  const parameters = Object.entries(given).filter(([key]) => kept.includes(key));
  return { ...action, tool_name: name, parameters: Object.fromEntries(parameters) };
}

function scrollInPages({ direction = "down", amount: _, ...others }: BrowserUseAction["parameters"]) {
  return { pages: 1, ...others, down: direction !== "up" };
}
