/**
 * Sites with an endless part (a trap), and sites that only look endless. Every page of a trap is generated
 * from its URL. On a site that only looks endless, each page has a different text.
 */
import { html, type ScriptedSite, serveSite } from "./test-site-with-given-routes.ts";

const WORDS = (
  "apple anchor amber basket bridge candle canvas cedar chapel cloud copper corner crane dagger desert drum eagle " +
  "ember engine falcon feather fence fiddle forest garden glass granite hammer harbour hazel island ivory jacket " +
  "kettle ladder lantern leather lemon marble meadow mirror needle nettle ocean olive orchard paper pebble pillow " +
  "quarry quill ribbon river rocket saddle shadow silver spindle stone summer tangle thread timber tower umbrella " +
  "valley velvet violet walnut willow window winter yarrow zephyr"
).split(" ");

/** Returns a paragraph that differs for each seed. */
export function prose(seed: number, length = 40): string {
  let state = (seed + 1) * 2_654_435_761;
  const words = Array.from({ length }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x9e3779b9;
    return WORDS[(state >>> 0) % WORDS.length] ?? "";
  });
  return `<p>${words.join(" ")}.</p>`;
}

export function links(...addresses: readonly string[]): string {
  return addresses
    .map((address) => `<a href="${address.replaceAll("&", "&amp;")}">${address.split(/[/=]/).at(-1)}</a>`)
    .join(" ");
}

const HOME = html("Home", `<h1>Home</h1>${prose(1)}${links("/about", "/trap/start")}`);
const ABOUT = html("About", `<h1>About us</h1>${prose(2)}`);

/**
 * Serves a small site with a trap that starts at the path `start`. `page` generates a page of the trap from
 * its URL.
 */
export function siteWithTrap(start: string, page: (url: URL) => string | undefined): ScriptedSite {
  return serveSite({
    "/": HOME,
    "/about": ABOUT,
    "/trap/start": html("Start", `<h1>Start</h1>${prose(3)}${links(start)}`),
    "*": (request) =>
      page(new URL(request.url)) ??
      new Response("none", { status: 404, headers: { "content-type": "text/html" } }),
  });
}
