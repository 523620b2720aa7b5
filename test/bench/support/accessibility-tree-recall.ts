/**
 * Measures the share of interactive nodes in Chromium's accessibility tree that an analysis reports. It
 * counts rendered nodes of the main frame with an interactive role. Options of native selects, and parts that
 * the browser draws inside a field, are not counted, because their select or field is counted.
 */
import type { ContextSession } from "../../../actors/browser/session/browser-session.ts";

export const INTERACTIVE_ROLES: ReadonlySet<string> = new Set(
  (
    "button link textbox searchbox checkbox radio switch slider spinbutton combobox ComboBoxSelect listbox menuitem " +
    "menuitemcheckbox menuitemradio tab treeitem PopUpButton DisclosureTriangle ToggleButton Date DateTime " +
    "InputTime ColorWell"
  ).split(" "),
);

export interface Coverage {
  readonly nodes: number;
  readonly reported: number;
  /** HTML of some of the interactive nodes that the analysis of the page does not report. */
  readonly missing: readonly string[];
}

export async function coverageOf(session: ContextSession): Promise<Coverage> {
  const { tab } = session;
  const { frames, snapshots } = tab;
  const { main } = frames;
  const reported = new Set<number>();
  for (const { highlight_index } of snapshots.last?.elements ?? []) {
    const place = snapshots.locationOf(highlight_index);
    if (place?.frameId === main.id) reported.add(place.id);
  }
  await tab.session.send("Accessibility.enable");
  const { nodes } = await tab.session.send("Accessibility.getFullAXTree", {});
  await tab.session.send("Accessibility.disable");
  const wanted = nodes.flatMap(({ ignored, role, backendDOMNodeId }) =>
    !ignored && INTERACTIVE_ROLES.has(String(role?.value)) && backendDOMNodeId !== undefined
      ? [backendDOMNodeId]
      : [],
  );
  const world = await main.world;
  if (world === undefined) throw new Error("The page has no world of the session.");
  await frames.evaluate(main, `globalThis.reported = new Set(${JSON.stringify([...reported])})`);
  const found = await Promise.all(
    wanted.map(async (backendNodeId) => {
      const { object } = await tab.session.send("DOM.resolveNode", {
        backendNodeId,
        executionContextId: world,
      });
      const { result } = await tab.session.send("Runtime.callFunctionOn", {
        objectId: object.objectId ?? "",
        functionDeclaration: `${reportedAs}`,
        returnByValue: true,
      });
      // The cast is safe: the value comes from `reportedAs`, which runs in the page.
      return result.value as ReturnType<typeof reportedAs>;
    }),
  );
  const seen = found.filter((result) => result !== "hidden");
  const missing = seen.filter((result) => result !== "reported");
  return { nodes: seen.length, reported: seen.length - missing.length, missing: missing.slice(0, 5) };
}

/**
 * Runs in the page for one element. Returns `reported` if the analysis lists the element, and `hidden` if the
 * element must not be counted. Otherwise the analysis lacks the element, and the element's HTML is returned.
 */
function reportedAs(this: Element): string {
  const { cairn, reported } = globalThis as unknown as {
    readonly cairn: { readonly registry: { idOf(element: Element): number } };
    readonly reported: ReadonlySet<number>;
  };
  if (!(this instanceof Element) || this instanceof HTMLOptionElement) return "hidden";
  // The browser draws parts inside a field or a player, in a shadow tree. These parts are not counted, because
  // the field or player itself is counted.
  const root = this.getRootNode();
  if (root instanceof ShadowRoot && /^(input|textarea|select|video|audio)$/.test(root.host.localName))
    return "hidden";
  const { width, height, right, bottom } = this.getBoundingClientRect();
  if (!this.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return "hidden";
  // An element that is completely to the left of the page or above it does not count, because scrolling
  // cannot reach it.
  if (width <= 1 || height <= 1 || right + scrollX <= 0 || bottom + scrollY <= 0) return "hidden";
  return reported.has(cairn.registry.idOf(this)) ? "reported" : this.outerHTML.slice(0, 160);
}
