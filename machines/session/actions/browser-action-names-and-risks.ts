/**
 * The table of all browser actions, for maps and sessions: names, aliases, risk, and idempotence. It has no
 * schemas, so that worker threads can load it without zod. `browser-action-parameters.ts` has the parameters.
 */

/**
 * What an action may change. `reads`: nothing. `moves`: the scroll position or the address. `edits`: values of
 * fields. `commits`: possibly data on the server, as a click may.
 */
export type ActionRisk = "reads" | "moves" | "edits" | "commits";

interface ActionFacts {
  readonly aliases: readonly string[];
  /** Whether the action may run again after an interruption, because a repetition has no further effect. */
  readonly idempotent: boolean;
  readonly risk: ActionRisk;
}

/**
 * The actions with their aliases: names of the same action in the protocol specification, in browser-use, and
 * in documents.
 */
export const actionTable = {
  navigate: {
    aliases: ["goto", "go_to", "go_to_url", "open", "open_url", "visit", "navigate_to", "load", "browse"],
    idempotent: true,
    risk: "moves",
  },
  click: {
    aliases: [
      "tap",
      "press_button",
      "click_element",
      "click_element_by_index",
      "left_click",
      "select_link",
      "check",
      "uncheck",
      "toggle",
      "follow",
    ],
    idempotent: false,
    risk: "commits",
  },
  double_click: { aliases: ["dblclick", "dbl_click", "doubleclick"], idempotent: false, risk: "commits" },
  right_click: {
    aliases: ["contextmenu", "rightclick", "context_click"],
    idempotent: false,
    risk: "commits",
  },
  hover: { aliases: ["mouseover", "mouse_over", "move_to"], idempotent: true, risk: "moves" },
  input: {
    aliases: ["type", "fill", "enter", "input_text", "type_text", "enter_text", "set_value", "write"],
    idempotent: false,
    risk: "edits",
  },
  clear: { aliases: ["clear_text", "clear_input"], idempotent: true, risk: "edits" },
  type_slowly: { aliases: ["type_slow", "slow_type"], idempotent: false, risk: "edits" },
  select_all: { aliases: [], idempotent: true, risk: "reads" },
  copy: { aliases: [], idempotent: true, risk: "reads" },
  cut: { aliases: [], idempotent: false, risk: "edits" },
  paste: { aliases: [], idempotent: false, risk: "edits" },
  drag_drop: { aliases: ["drag", "drag_and_drop", "dragndrop"], idempotent: false, risk: "commits" },
  find_text: { aliases: ["scroll_to_text", "search_page"], idempotent: true, risk: "moves" },
  fill_form: { aliases: [], idempotent: false, risk: "edits" },
  submit_form: { aliases: ["submit"], idempotent: false, risk: "commits" },
  reset_form: { aliases: ["reset"], idempotent: false, risk: "edits" },
  upload_file: {
    aliases: ["upload", "file_upload", "attach", "set_files"],
    idempotent: false,
    risk: "edits",
  },
  play_video: { aliases: ["play"], idempotent: true, risk: "moves" },
  pause_video: { aliases: ["pause"], idempotent: true, risk: "moves" },
  seek_video: { aliases: ["seek"], idempotent: false, risk: "moves" },
  adjust_volume: { aliases: ["set_volume", "volume"], idempotent: false, risk: "moves" },
  toggle_mute: { aliases: ["mute", "unmute"], idempotent: false, risk: "moves" },
  accept_cookies: { aliases: ["dismiss_cookies"], idempotent: false, risk: "commits" },
  pick_date: { aliases: ["select_date", "set_date"], idempotent: false, risk: "edits" },
  evaluate: {
    aliases: ["execute_javascript", "execute_js", "javascript", "script", "eval"],
    idempotent: false,
    risk: "commits",
  },
  select_dropdown: {
    aliases: ["select", "select_option", "select_dropdown_option", "choose"],
    idempotent: false,
    risk: "edits",
  },
  dropdown_options: { aliases: ["get_dropdown_options"], idempotent: true, risk: "reads" },
  scroll: { aliases: ["scroll_down", "scroll_up", "scroll_to"], idempotent: false, risk: "moves" },
  login: { aliases: ["sign_in"], idempotent: false, risk: "commits" },
  wait: { aliases: ["sleep", "delay", "wait_for"], idempotent: true, risk: "reads" },
  screenshot: { aliases: ["capture", "take_screenshot", "snapshot"], idempotent: true, risk: "reads" },
  extract: {
    aliases: ["read", "scrape", "extract_content", "extract_structured_data"],
    idempotent: true,
    risk: "reads",
  },
  save_as_pdf: { aliases: ["pdf"], idempotent: true, risk: "reads" },
  go_back: { aliases: ["back"], idempotent: false, risk: "moves" },
  go_forward: { aliases: ["forward"], idempotent: false, risk: "moves" },
  refresh: { aliases: ["reload", "refresh_page"], idempotent: true, risk: "moves" },
  send_keys: {
    aliases: ["press", "press_key", "key", "keypress", "keyboard", "send_key", "hotkey", "shortcut"],
    idempotent: false,
    risk: "commits",
  },
  handle_dialog: { aliases: [], idempotent: false, risk: "commits" },
  switch: { aliases: ["switch_tab", "switch_to_tab"], idempotent: true, risk: "moves" },
  close: { aliases: ["close_tab"], idempotent: false, risk: "moves" },
} as const satisfies Readonly<Record<string, ActionFacts>>;

export type ActionName = keyof typeof actionTable;

// The cast is safe: these are the keys of an object literal.
export const actionNames = Object.keys(actionTable) as readonly ActionName[];

/** Maps each alias to the name of its action. */
export const actionAliases: Readonly<Record<string, ActionName>> = Object.fromEntries(
  actionNames.flatMap((name) => actionTable[name].aliases.map((alias) => [alias, name])),
);

/**
 * The action for a name in any style, such as `Type Text` or `drag-and-drop`; `undefined` for an unknown
 * name.
 */
export function actionNamed(written: string): ActionName | undefined {
  const name = written
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[\s-]+/g, "_")
    .toLowerCase();
  return (
    actionNames.find((one) => one === name) ??
    (Object.hasOwn(actionAliases, name) ? actionAliases[name] : undefined)
  );
}
