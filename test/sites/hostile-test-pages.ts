/**
 * Pages that are difficult to explore: a huge one, one that always changes, one that crashes, one full of
 * links, and a site that bans its visitor.
 */
import { html, type ScriptedSite, serveSite } from "./test-site-with-given-routes.ts";

const many = (count: number, one: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => one(at)).join("");

const menu =
  '<button type="button" aria-haspopup="menu" aria-expanded="false" id="m">Options</button><div id="o" role="menu" hidden><button type="button" role="menuitem">Wide view</button><button type="button" role="menuitem">Narrow view</button><h2>Views</h2></div>' +
  '<script>m.onclick = () => { o.hidden = !o.hidden; m.setAttribute("aria-expanded", String(!o.hidden)); };</script>';

export function hostileApplication(banAfter = Number.POSITIVE_INFINITY): ScriptedSite {
  let requests = 0;
  const page = (title: string, body: string) => () => {
    requests += 1;
    if (requests > banAfter)
      return new Response("Go away", { status: 403, headers: { "content-type": "text/html" } });
    return html(title, `<h1>${title}</h1>${menu}${body}`);
  };
  return serveSite({
    "/huge": page(
      "Huge",
      many(10_000, (at) => `<div><button type="button">Cell ${at}</button></div>`),
    ),
    "/restless": page(
      "Restless",
      '<p id="clock"></p><script>setInterval(() => { clock.innerHTML = "<button type=button>" + Math.random().toString(36) + "</button>"; fetch("/poll"); }, 30);</script>',
    ),
    "/crash": page(
      "Crash",
      '<button type="button" id="c">Load everything</button><script>c.onclick = () => { location.href = "chrome://crash"; const all = []; for (;;) all.push(new Array(1e7).fill(1)); };</script>',
    ),
    "/links": page(
      "Links",
      many(100_000, (at) => `<a href="/p/${at}">Page ${at}</a> `),
    ),
    "/poll": () => new Response("{}"),
    "/": page(
      "Start",
      many(60, (at) => `<a href="/page-${at}">Page ${at}</a> `),
    ),
    "*": page("Some page", "<p>Text.</p>"),
  });
}
