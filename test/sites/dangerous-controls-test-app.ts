/**
 * A single-page application that detects careless presses: it records every request that writes data as
 * forbidden. Its harmless transitions are listed, so that an exploration can be compared with them. It may
 * require a sign-in, which may expire.
 */
import { type ScriptedSite, serveSite } from "./test-site-with-given-routes.ts";

const script = `
const api = (method, path, body) => fetch(path, { method, headers: { "content-type": "application/json" }, body: body && JSON.stringify(body) });
const app = document.getElementById("app");
const dialog = (title, body) => {
  const box = document.createElement("div");
  box.setAttribute("role", "dialog"); box.setAttribute("aria-modal", "true"); box.setAttribute("aria-label", title);
  box.style.cssText = "position:fixed;inset:0;background:#fff;z-index:9";
  box.innerHTML = "<h2>" + title + "</h2>" + body + '<button type="button" class="close">Cancel</button>';
  box.querySelector(".close").onclick = () => box.remove();
  for (const form of box.querySelectorAll("form")) form.onsubmit = (event) => { event.preventDefault(); api("POST", form.dataset.to, { text: "x" }); };
  document.body.append(box);
  return box;
};
const rows = (from) => Array.from({ length: 6 }, (_, at) => '<tr><td>Item ' + (from + at) + '</td><td><button type="button" class="open" data-id="' + (from + at) + '">Open</button></td></tr>').join("");
const on = (selector, act, event = "click") => { for (const one of app.querySelectorAll(selector)) one.addEventListener(event, () => act(one)); };
const tabs = () => on("[role=tab]", (tab) => {
  for (const other of app.querySelectorAll("[role=tab]")) {
    other.setAttribute("aria-selected", String(other === tab));
    document.getElementById(other.getAttribute("aria-controls")).hidden = other !== tab;
  }
});
const toggles = () => on("[aria-expanded]", (one) => {
  const panel = document.getElementById(one.getAttribute("aria-controls"));
  panel.hidden = !panel.hidden;
  one.setAttribute("aria-expanded", String(!panel.hidden));
});
const tab = (name, selected) => '<button type="button" role="tab" aria-selected="' + selected + '" aria-controls="p-' + name + '">' + name + "</button>";
const views = {
  "/"() {
    app.innerHTML = '<h1>Dashboard</h1><button type="button" id="refresh">Refresh totals</button><button type="button" id="recalculate">Recalculate</button>' +
      '<button type="button" id="buy">Buy credits</button><button type="button" id="publish">Publish site</button>' +
      '<div id="watch" tabindex="0" onclick="">Hovering here counts</div><section id="totals" hidden><h2>Totals of today</h2><button type="button" id="details">Show details</button></section><section id="more" hidden><h2>Details of today</h2></section>';
    api("POST", "/graphql", { query: "query { totals }" });
    on("#refresh", () => api("POST", "/graphql", { query: "query { totals }" }).then(() => { document.getElementById("totals").hidden = false; }));
    on("#recalculate", () => api("POST", "/graphql", { query: "mutation { recalculate }" }));
    on("#buy", () => api("POST", "/api/buy"));
    on("#publish", () => api("POST", "/api/publish"));
    on("#watch", () => api("POST", "/api/hovered"), "mouseenter");
    on("#details", () => { document.getElementById("more").hidden = false; });
  },
  "/items"() {
    app.innerHTML = '<h1>Items</h1><button type="button" id="new">New item</button><button type="button" aria-expanded="false" aria-controls="filters">Filters</button>' +
      '<section id="filters" hidden><h2>Filter the items</h2><input aria-label="Colour"></section>' +
      '<table><thead><tr><th><button type="button" id="sort">Sort by name</button></th></tr></thead><tbody id="rows">' + rows(1) + '</tbody></table><button type="button" id="next">Next page</button>' +
      '<a href="/items/3/delete">Drop the third</a> <a href="/items/3/duplicate" data-method="post">Duplicate</a> <button type="button" id="quick">Quick clean</button>';
    on("#new", () => dialog("Add an item", '<form data-to="/api/items"><input aria-label="Name"><button>Save</button></form>'));
    on("#next", () => { document.getElementById("rows").innerHTML = rows(7); opens(); });
    on("#sort", () => { document.getElementById("rows").innerHTML = rows(1).split("</tr>").reverse().join("</tr>"); opens(); });
    on("#quick", () => api("POST", "/api/items/3/remove").then(() => { app.insertAdjacentHTML("beforeend", '<div role="status">Removed <button type="button">Undo</button></div>'); }));
    const opens = () => on(".open", (one) => go("/items/" + one.dataset.id));
    opens(); toggles();
  },
  "/messages"() {
    app.innerHTML = '<h1>Messages</h1><button type="button" id="compose">Compose</button><button type="button" aria-haspopup="menu" aria-expanded="false" aria-controls="menu">View</button>' +
      '<div id="menu" role="menu" hidden><button type="button" role="menuitem" id="starred">Starred only</button><button type="button" role="menuitem" id="unread">Unread only</button></div><section id="list"></section>';
    on("#compose", () => dialog("Write a message", '<form data-to="/api/messages"><textarea aria-label="Text"></textarea><button>Send</button></form>'));
    const show = (title) => () => { document.getElementById("menu").hidden = true; document.getElementById("list").innerHTML = "<h2>" + title + '</h2><button type="button" id="ask">Archive the list</button>'; on("#ask", () => { if (confirm("Really?")) api("POST", "/api/archive"); }); };
    on("#starred", show("Starred messages")); on("#unread", show("Unread messages")); toggles();
  },
  "/settings"() {
    app.innerHTML = '<h1>Settings</h1><div role="tablist">' + tab("General", true) + tab("Notifications", false) + tab("Team", false) + "</div>" +
      '<section id="p-General"><h2>General settings</h2><form id="auto"><input aria-label="Site name" value="Shop"><input type="checkbox" aria-label="Public"></form></section>' +
      '<section id="p-Notifications" hidden><h2>Notification settings</h2><label><input type="checkbox" id="mails"> Mails</label></section>' +
      '<section id="p-Team" hidden><h2>Team settings</h2><button type="button" id="invite">Invite</button><button type="button" aria-expanded="false" aria-controls="roles">Roles</button><div id="roles" hidden><h3>Roles of the team</h3></div></section>';
    for (const field of app.querySelectorAll("input")) for (const event of ["input", "change"]) field.addEventListener(event, () => api("PUT", "/api/settings", { a: 1 }));
    on("#invite", () => api("POST", "/api/invitations")); tabs(); toggles();
  },
  "/reports"() {
    const step = (at) => {
      app.innerHTML = "<h1>Reports</h1><h2>" + ["Choose a period", "Choose the columns", "Check the report"][at - 1] + "</h2>" +
        (at > 1 ? '<button type="button" id="back">Go back</button>' : "") + (at < 3 ? '<button type="button" id="on">Next</button>' : '<button type="button" id="finish">Finish</button>');
      on("#on", () => step(at + 1)); on("#back", () => step(at - 1)); on("#finish", () => api("POST", "/api/reports"));
    };
    step(1);
  },
};
const item = (id) => {
  app.innerHTML = '<h1>Item</h1><div role="tablist">' + tab("Overview", true) + tab("History", false) + '</div><section id="p-Overview"><h2>What it is</h2></section><section id="p-History" hidden><h2>What happened</h2></section>' +
    '<button type="button" id="remove">Delete item</button><button type="button" id="pay">Pay now</button>';
  on("#remove", () => api("DELETE", "/api/items/" + id)); on("#pay", () => api("POST", "/api/pay")); tabs();
};
const show = () => { const path = location.pathname; path.startsWith("/items/") ? item(path.slice(7)) : (views[path] ?? views["/"])(); document.title = app.querySelector("h1").textContent; };
const go = (path) => { history.pushState({}, "", path); show(); };
addEventListener("popstate", show);
for (const one of document.querySelectorAll("nav button")) one.onclick = () => go(one.dataset.to);
show();
`;

const PAGES = {
  Dashboard: "/",
  Items: "/items",
  Messages: "/messages",
  Settings: "/settings",
  Reports: "/reports",
};

const shell = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title></head><body>
<header><nav>${Object.entries(PAGES)
  .map(([name, to]) => `<button type="button" data-to="${to}">${name}</button>`)
  .join(
    "",
  )}</nav><a href="/logout">Log out</a></header><main id="app"></main><script>${script}</script></body></html>`;

const signInPage = `<!doctype html><html lang="en"><head><title>Sign in</title></head><body><h1>Sign in</h1><form method="post" action="/login">
<label>User <input name="user"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form></body></html>`;

type Step = readonly [from: string, control: string, to: string];

const between = (names: readonly string[], name: (one: string) => string, from = name): Step[] =>
  names.flatMap((one) =>
    names.flatMap((other): Step[] => (one === other ? [] : [[from(one), other, name(other)]])),
  );

/**
 * All harmless transitions, each as three names: the screen where it starts, the pressed control, and the
 * screen where it ends.
 */
export const trapTransitions: readonly Step[] = [
  ...between(Object.keys(PAGES), (name) => name),
  ...Object.keys(PAGES).map((name): Step => ["Item", name, name]),
  ["Dashboard", "Refresh totals", "Dashboard: Refresh totals"],
  ["Dashboard: Refresh totals", "Show details", "Dashboard: Refresh totals, Show details"],
  ["Items", "Open", "Item"],
  ["Items", "New item", "Items: New item"],
  ["Items: New item", "Cancel", "Items"],
  ["Items", "Filters", "Items: Filters"],
  ["Item", "History", "Item: History"],
  ["Item: History", "Overview", "Item"],
  ["Messages", "Compose", "Messages: Compose"],
  ["Messages: Compose", "Cancel", "Messages"],
  ["Messages", "View", "Messages: View"],
  ["Messages: View", "Starred only", "Messages: View, Starred only"],
  ["Messages: View", "Unread only", "Messages: View, Unread only"],
  ...between(["General", "Notifications", "Team"], (name) =>
    name === "General" ? "Settings" : `Settings: ${name}`,
  ),
  ["Settings: Team", "Roles", "Settings: Team, Roles"],
  ["Reports", "Next", "Reports: Next"],
  ["Reports: Next", "Next", "Reports: Next, Next"],
  ["Reports: Next", "Go back", "Reports"],
  ["Reports: Next, Next", "Go back", "Reports: Next"],
];

export interface TrapApplication extends ScriptedSite {
  /** The requests that have changed data since the start of the application. */
  readonly forbidden: readonly string[];
  /** Number of successful sign-ins since the start of the application. */
  readonly signIns: () => number;
}

export interface TrapOptions {
  /** Whether the pages can only be seen after a sign-in. */
  readonly signIn?: boolean;
  /** Numbers of the page views at which all sessions expire. The first page view has the number 1. */
  readonly expireAt?: readonly number[];
}

export function trapApplication({ signIn = false, expireAt = [] }: TrapOptions = {}): TrapApplication {
  const forbidden: string[] = [];
  let session = 0;
  let signIns = 0;
  let pages = 0;
  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const body = request.method === "GET" ? "" : await request.text();
    if (pathname === "/login" && request.method === "POST") {
      const { user, password } = Object.fromEntries(new URLSearchParams(body));
      if (user !== "ada" || password !== "engine")
        return Response.redirect(new URL("/login", request.url), 302);
      session += 1;
      signIns += 1;
      return new Response(null, {
        status: 302,
        headers: { location: "/", "set-cookie": `s=${session}; Path=/` },
      });
    }
    const isQuery = pathname === "/graphql" && /"query \{/.test(body);
    const isWrite = request.method !== "GET" || /^\/logout|\/delete$|\/duplicate$/.test(pathname);
    if (isWrite && !isQuery) forbidden.push(`${request.method} ${pathname}`);
    if (isWrite) return Response.json({ data: {} });
    const page = (text: string) =>
      new Response(text, { headers: { "content-type": "text/html; charset=utf-8" } });
    if (pathname === "/login") return page(signInPage);
    if (signIn) {
      pages += 1;
      if (expireAt.includes(pages)) session += 1;
      if (!request.headers.get("cookie")?.includes(`s=${session}`) || session === 0) {
        return Response.redirect(new URL("/login", request.url), 302);
      }
    }
    return page(shell);
  };
  const site = serveSite({ "/favicon.ico": new Response(null, { status: 404 }), "*": handle });
  return Object.assign(site, { forbidden, signIns: () => signIns });
}
