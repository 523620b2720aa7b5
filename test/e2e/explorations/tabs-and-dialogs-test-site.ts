/**
 * A test application with few addresses: tabs, a dialog, a menu, a wizard, and a client-side route behind a
 * button. It also has dangerous controls that an exploration must not press. Its log contains every request.
 */
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";

const script = `
const $ = (id) => document.getElementById(id);
const show = (id, on) => { $(id).hidden = !on; };
for (const name of ["general", "billing", "team"]) {
  $("tab-" + name)?.addEventListener("click", () => {
    for (const other of ["general", "billing", "team"]) {
      show("panel-" + other, other === name);
      $("tab-" + other).setAttribute("aria-selected", String(other === name));
    }
  });
}
$("open-dialog")?.addEventListener("click", () => show("dialog", true));
$("close-dialog")?.addEventListener("click", () => show("dialog", false));
$("menu-button")?.addEventListener("click", () => { show("menu", $("menu").hidden); $("menu-button").setAttribute("aria-expanded", String(!$("menu").hidden)); });
$("next")?.addEventListener("click", () => { show("step-1", false); show("step-2", true); });
$("reports")?.addEventListener("click", () => { history.pushState({}, "", "/reports"); $("app").innerHTML = "<h1>Reports</h1><button type=button id=export>Export view</button>"; });
$("save-note")?.addEventListener("click", () => fetch("/api/notes", { method: "POST", body: "{}" }));
$("mutate")?.addEventListener("click", () => fetch("/graphql", { method: "POST", body: JSON.stringify({ query: "mutation { x }" }) }));
$("reload-data")?.addEventListener("click", () => fetch("/graphql", { method: "POST", body: JSON.stringify({ query: "query { x }" }) }).then(() => show("data", true)));
$("sure")?.addEventListener("click", () => { if (confirm("Sure?")) fetch("/api/confirmed", { method: "POST" }); });
`;

const page = (title: string, body: string) =>
  html(
    title,
    `<header><nav><a href="/">Home</a> <a href="/settings">Settings</a></nav></header><main id="app"><h1>${title}</h1>${body}</main><script>${script}</script>`,
  );

export function interactiveSite(): ScriptedSite {
  return serveSite({
    "/": page(
      "Home",
      `<button type="button" id="menu-button" aria-haspopup="menu" aria-expanded="false">More</button>
       <div id="menu" role="menu" hidden><button role="menuitem" type="button">Sort by name</button><button role="menuitem" type="button">Sort by date</button></div>
       <button type="button" id="reports">Reports</button>
       <button type="button" id="delete-all">Delete everything</button> <a href="/logout">Log out</a>
       <button type="button" id="save-note">Take a note</button> <button type="button" id="mutate">Refresh totals</button>
       <button type="button" id="reload-data">Load the data</button><section id="data" hidden><h2>Data</h2><button type="button">Next row</button></section>
       <button type="button" id="sure">Archive the year</button>`,
    ),
    "/settings": page(
      "Settings",
      `<div role="tablist"><button type="button" role="tab" id="tab-general" aria-selected="true">General</button><button type="button" role="tab" id="tab-billing" aria-selected="false">Billing</button><button type="button" role="tab" id="tab-team" aria-selected="false">Team</button></div>
       <section id="panel-general"><h2>General</h2><input aria-label="Name"></section>
       <section id="panel-billing" hidden><h2>Billing</h2><input aria-label="Card holder"><button type="button" id="open-dialog">Show address</button></section>
       <section id="panel-team" hidden><h2>Team</h2><input aria-label="Search members"></section>
       <div id="dialog" role="dialog" aria-modal="true" aria-label="Address" hidden><h2>Address</h2><p>Here.</p><button type="button" id="close-dialog">Close</button></div>
       <div id="step-1"><button type="button" id="next">Next step</button></div><div id="step-2" hidden><h2>Second step</h2><input aria-label="City"></div>`,
    ),
    "/reports": page("Reports", "<p>All of them.</p>"),
    "/logout": page("Bye", "<p>Bye.</p>"),
    "/graphql": () => Response.json({ data: {} }),
    "*": (request) => Response.json({ path: new URL(request.url).pathname }),
  });
}
