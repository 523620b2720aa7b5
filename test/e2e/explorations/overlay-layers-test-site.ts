/**
 * A test application that greets each visitor with two layers, one after the other. Its script adds a
 * fragment to the address while it loads, and its controls change the fragment. The layers ignore the Escape
 * key, and report it by a request.
 */
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";

const layer = (id: string, body: string) =>
  `<div id="${id}" class="layer" hidden><div class="box"><p>Hello!</p>${body}</div></div>`;

export function coveredSite(): ScriptedSite {
  return serveSite({
    "/": html(
      "Editor",
      `<style>.layer { position: fixed; inset: 0; background: #0008 } .layer[hidden] { display: none } .box { margin: 300px; background: white }</style>
       <h1>Editor</h1>
       <a href="#history">History</a> <button type="button" id="open">Show layout</button>
       <button type="button">Zoom in</button> <button type="button">Zoom out</button>
       <section id="history-panel" hidden><h2>History</h2><input aria-label="Since"><button type="button">Older</button></section>
       <section id="layout-panel" hidden><h2>Layout</h2><input aria-label="Columns"><button type="button">Wider</button></section>
       ${layer("greeting", '<button type="button" id="yes">Yes, report usage</button> <button type="button" id="no">No, do not report usage</button>')}
       ${layer("tour", '<button type="button" id="end" aria-label="Close">×</button> <button type="button">Start the tour</button>')}
       <script>
       const $ = (id) => document.getElementById(id);
       const show = (id, on) => { $(id).hidden = !on; };
       const answer = (usage) => { fetch("/api/settings", { method: "PUT", body: JSON.stringify({ usage }) }).catch(() => {}); show("greeting", false); show("tour", true); };
       $("yes").addEventListener("click", () => answer(true));
       $("no").addEventListener("click", () => answer(false));
       $("end").addEventListener("click", () => show("tour", false));
       $("open").addEventListener("click", () => { location.hash = "layout"; });
       addEventListener("hashchange", () => { for (const one of ["history", "layout"]) show(one + "-panel", location.hash === "#" + one); });
       addEventListener("keydown", ({ key }) => {
         const shown = ["greeting", "tour"].find((id) => !$(id).hidden);
         if (key === "Escape" && shown) fetch("/escape/" + shown);
       });
       show("greeting", true);
       history.replaceState({}, "", "#view/" + Date.now());
       </script>`,
    ),
    "*": (request) => Response.json({ path: new URL(request.url).pathname }),
  });
}
