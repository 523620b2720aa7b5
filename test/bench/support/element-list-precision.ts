/**
 * Measures the share of listed elements on which a person can act: nodes with an interactive role in
 * Chromium's accessibility tree, labels of fields, and elements with a listener for a press, click or key.
 * The listener of an ancestor counts too if the page shows a pointer cursor on the listed element.
 */
import type { ContextSession } from "../../../actors/browser/session/browser-session.ts";
import { elementLine } from "../../../machines/session/page/element-line.ts";
import { INTERACTIVE_ROLES } from "./accessibility-tree-recall.ts";

/**
 * Roles that count as interactive in addition to `INTERACTIVE_ROLES`: those of a widget's parts, such as options,
 * and of a canvas or a video.
 */
const ENTRY_ROLES = new Set(
  "option gridcell row columnheader rowheader scrollbar ListBoxOption Canvas Video Audio".split(" "),
);
const ACTING =
  /^(click|dblclick|auxclick|mousedown|mouseup|pointerdown|pointerup|keydown|keyup|keypress|contextmenu|touchend|dragstart)$/;
/** Maximum number of ancestors whose listeners are checked for each listed element. */
const MAX_LEVELS = 12;

export interface Precision {
  readonly listed: number;
  readonly right: number;
  /** Lines of elements that were listed although a person cannot act on them. */
  readonly wrong: readonly string[];
  /** Number of listed elements without a name. */
  readonly unnamed: number;
}

export async function precisionOf(session: ContextSession): Promise<Precision> {
  const { tab } = session;
  const { frames, snapshots } = tab;
  const { main } = frames;
  const world = await main.world;
  if (world === undefined) throw new Error("The page has no world of the session.");
  const cdp = tab.session;
  await cdp.send("Accessibility.enable");
  const { nodes } = await cdp.send("Accessibility.getFullAXTree", {});
  await cdp.send("Accessibility.disable");
  const roles = new Map(
    nodes.flatMap(({ ignored, role, backendDOMNodeId }) =>
      !ignored && backendDOMNodeId !== undefined ? [[backendDOMNodeId, String(role?.value)] as const] : [],
    ),
  );
  const wrong: string[] = [];
  let [listed, right, unnamed] = [0, 0, 0];
  const acts = async (objectId: string): Promise<boolean> => {
    const { listeners } = await cdp.send("DOMDebugger.getEventListeners", { objectId });
    return listeners.some(({ type }) => ACTING.test(type));
  };
  const isRight = async (id: number): Promise<boolean> => {
    const { result } = await cdp.send("Runtime.evaluate", {
      expression: `globalThis.cairn.registry.element(${id})`,
      contextId: world,
    });
    if (result.objectId === undefined) return true;
    const { node } = await cdp.send("DOM.describeNode", { objectId: result.objectId });
    // Chromium reports listeners only for an object of the JavaScript world that added them. The session runs
    // in a world of its own, so the element is resolved again in the world of the page's scripts.
    const { object } = await cdp.send("DOM.resolveNode", { backendNodeId: node.backendNodeId });
    const { objectId = "" } = object;
    const role = roles.get(node.backendNodeId) ?? "";
    if (INTERACTIVE_ROLES.has(role) || ENTRY_ROLES.has(role)) return true;
    const { result: facts } = await cdp.send("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration: `${nativeFacts}`,
      returnByValue: true,
    });
    // The cast is safe: the value is the result of `nativeFacts` (below), which has run in the page.
    const { native, pointer } = facts.value as ReturnType<typeof nativeFacts>;
    if (native || (await acts(objectId))) return true;
    if (!pointer) return false;
    for (let level = 1; level <= MAX_LEVELS; level++) {
      const { result: up } = await cdp.send("Runtime.callFunctionOn", {
        objectId,
        functionDeclaration: `function () { let up = this; for (let i = 0; i < ${level} && up; i++) up = up.parentElement; return up === document.body || up === document.documentElement ? null : up; }`,
      });
      if (up.objectId === undefined) return false;
      if (await acts(up.objectId)) return true;
    }
    return false;
  };
  for (const element of snapshots.last?.elements ?? []) {
    const place = snapshots.locationOf(element.highlight_index);
    if (place?.frameId !== main.id) continue;
    listed++;
    const line = elementLine(element, snapshots.last?.url ?? "");
    if (/^\*?\[\d+\]<\w+><\/\w+>$/.test(line)) unnamed++;
    if (await isRight(place.id)) right++;
    else wrong.push(line);
  }
  return { listed, right, wrong, unnamed };
}

/** Runs in the page for one element. Returns whether the element itself is interactive. */
function nativeFacts(this: Element): { native: boolean; pointer: boolean } {
  const native =
    this.matches(
      "a[href], button, input, select, textarea, summary, label, [contenteditable], [onclick], [draggable=true], video, audio",
    ) || this.querySelector("input, select, textarea") !== null;
  return { native, pointer: getComputedStyle(this).cursor === "pointer" };
}
