/**
 * How much of what can be acted on, by Chromium's own accessibility tree, an analysis tells.
 *
 * Of the page's own frame: nodes of interactive roles that are rendered, and larger than what hides things from eyes
 * only. Options of
 * native selects and what the browser draws into fields belong to their element.
 */
import type { ContextSession } from "../../../actors/browser/session/browser-session.ts";

const ROLES = new Set(
  (
    "button link textbox searchbox checkbox radio switch slider spinbutton combobox ComboBoxSelect listbox menuitem " +
    "menuitemcheckbox menuitemradio tab treeitem PopUpButton DisclosureTriangle ToggleButton Date DateTime " +
    "InputTime ColorWell"
  ).split(" "),
);

export interface Coverage {
  readonly nodes: number;
  readonly told: number;
  /** Some that are not told, as text. */
  readonly missing: readonly string[];
}

export async function coverageOf(session: ContextSession): Promise<Coverage> {
  const { tab } = session;
  const { frames, looking } = tab;
  const { main } = frames;
  const told = new Set<number>();
  for (const { highlight_index } of looking.last?.elements ?? []) {
    const place = looking.place(highlight_index);
    if (place?.frameId === main.id) told.add(place.id);
  }
  await tab.session.send("Accessibility.enable");
  const { nodes } = await tab.session.send("Accessibility.getFullAXTree", {});
  await tab.session.send("Accessibility.disable");
  const wanted = nodes.flatMap(({ ignored, role, backendDOMNodeId }) =>
    !ignored && ROLES.has(String(role?.value)) && backendDOMNodeId !== undefined ? [backendDOMNodeId] : [],
  );
  const world = await main.world;
  if (world === undefined) throw new Error("The page has no world of the session.");
  await frames.evaluate(main, `globalThis.told = new Set(${JSON.stringify([...told])})`);
  const found = await Promise.all(
    wanted.map(async (backendNodeId) => {
      const { object } = await tab.session.send("DOM.resolveNode", {
        backendNodeId,
        executionContextId: world,
      });
      const { result } = await tab.session.send("Runtime.callFunctionOn", {
        objectId: object.objectId ?? "",
        functionDeclaration: `${isTold}`,
        returnByValue: true,
      });
      return result.value as ReturnType<typeof isTold>; // What the function below answers.
    }),
  );
  const seen = found.filter((one) => one !== "hidden");
  const missing = seen.filter((one) => one !== "told");
  return { nodes: seen.length, told: seen.length - missing.length, missing: missing.slice(0, 5) };
}

/** In the page. */
function isTold(this: Element): string {
  const { cairn, told } = globalThis as unknown as {
    readonly cairn: { readonly registry: { idOf(element: Element): number } };
    readonly told: ReadonlySet<number>;
  };
  if (!(this instanceof Element) || this instanceof HTMLOptionElement) return "hidden";
  // What the browser itself draws into a date field or a player belongs to that.
  const root = this.getRootNode();
  if (root instanceof ShadowRoot && /^(input|textarea|select|video|audio)$/.test(root.host.localName))
    return "hidden";
  const { width, height, right, bottom } = this.getBoundingClientRect();
  if (!this.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return "hidden";
  // No scrolling leads to what is left of the page or above it.
  if (width <= 1 || height <= 1 || right + scrollX <= 0 || bottom + scrollY <= 0) return "hidden";
  return told.has(cairn.registry.idOf(this)) ? "told" : this.outerHTML.slice(0, 160);
}
