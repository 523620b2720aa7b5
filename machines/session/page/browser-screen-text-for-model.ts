/** Formats the address of a browser and the content of its screen as text for a language model. */
import type { BrowserContextInfo, ScreenContent } from "../session-protocol.ts";

type Place = Omit<BrowserContextInfo, "ready_state">;

function placeLines({
  scroll_x,
  scroll_y,
  viewport_width,
  viewport_height,
  tab,
  tabs,
  restored,
}: Place): string[] {
  const left = scroll_x === 0 ? "" : `${Math.round(scroll_x)} px to the right, `;
  return [
    `scrolled ${left}${Math.round(scroll_y)} px, viewport ${viewport_width}x${viewport_height}`,
    ...(tabs.length > 1 ? tabs.map(({ url }, at) => `tab ${at}${at === tab ? " (shown)" : ""}: ${url}`) : []),
    ...(restored ? [`The session was restored: ${JSON.stringify(restored)}`] : []),
  ];
}

export function contextText(context: BrowserContextInfo): string {
  const { title, url, ready_state } = context;
  return [`${title === "" ? "(no title)" : title} | ${url} | ${ready_state}`, ...placeLines(context)].join(
    "\n",
  );
}

export function screenContentText(content: ScreenContent): string {
  const { url, visible_elements_count, dom_summary } = content;
  return [`${url}, ${visible_elements_count} elements`, ...placeLines(content), dom_summary].join("\n");
}
