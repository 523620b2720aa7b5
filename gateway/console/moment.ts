/** Times as the pages show them, in UTC. */
import { type Html, html } from "./html.ts";

/** `22 Nov 08:14:03`, with the whole ISO time as the tooltip. */
export function moment(iso: string): Html {
  const [date = "", time = ""] = iso.split("T");
  const day = new Date(iso).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  return html`<time datetime="${iso}" title="${date} ${time.slice(0, 12)} UTC">${day} ${time.slice(0, 8)}</time>`;
}

/** `08:14:03.123`. */
export function timeOfDay(iso: string): Html {
  const time = iso.split("T")[1] ?? "";
  return html`<time datetime="${iso}" title="${iso}">${time.slice(0, 12)}</time>`;
}
