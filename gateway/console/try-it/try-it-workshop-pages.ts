/**
 * The pages of the demonstration application, a small workshop: orders, customers, stock, settings, help. The page
 * `/desk` is for tasks about which Cairn must ask a question. For example, "Edit the note" is ambiguous there,
 * because several links start with "Edit note".
 */
import { type Html, html } from "../escaped-html-template.ts";

interface Order {
  readonly number: number;
  readonly customer: string;
  readonly item: string;
  readonly state: "open" | "in work" | "ready";
  readonly total: number;
}

const CUSTOMERS = ["Anna Berg", "Boris Hahn", "Clara Voss", "Deniz Kaya", "Edda Lind"] as const;
const ITEMS = ["Oak table", "Pine shelf", "Bookcase", "Walnut stool", "Bed frame", "Bench"] as const;
const STATES = ["open", "in work", "ready"] as const;

const slug = (name: string): string => name.toLowerCase().replaceAll(" ", "-");
const pick = <Item>(items: readonly [Item, ...Item[]], at: number): Item =>
  items[at % items.length] ?? items[0];

const ORDERS: readonly Order[] = Array.from({ length: 14 }, (_, at) => ({
  number: 101 + at,
  customer: pick(CUSTOMERS, at * 3),
  item: pick(ITEMS, at),
  state: pick(STATES, at),
  total: 180 + ((at * 137) % 900),
}));

const HELP: readonly (readonly [title: string, text: string])[] = [
  [
    "Taking an order",
    "Write down the item, the wood and the date. The customer gets a confirmation by post.",
  ],
  ["Choosing wood", "Oak is hard and heavy, pine is light and cheap. Ask for the floor it stands on."],
  [
    "Sending an invoice",
    "Invoices are sent from the order when it is ready. The layout is in the invoice settings.",
  ],
  ["Returning goods", "A return is written on the order. Money goes back within a week."],
];

interface WorkshopPage {
  readonly status: number;
  readonly html: string;
}

const STYLE = `
body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#26221d;background:#f7f4ee}
header{background:#3d4f3a;color:#fff;padding:10px 24px;display:flex;gap:24px;align-items:baseline}
header b{font-size:18px}nav{display:flex;gap:16px;flex-wrap:wrap}header a{color:#fff}
main{max-width:860px;margin:24px auto;padding:0 24px}
table{border-collapse:collapse;width:100%;background:#fff}td,th{text-align:left;padding:8px 12px;border:1px solid #ddd6c8}
form{display:grid;gap:12px;max-width:420px;background:#fff;padding:20px;border:1px solid #ddd6c8}
label{display:grid;gap:4px}input,select,textarea,button{font:inherit;padding:7px 10px;border:1px solid #8a8375;border-radius:4px}
button{background:#3d4f3a;color:#fff;cursor:pointer}.cards{display:grid;grid-template-columns:1fr 1fr 1fr;gap:16px}
.cards a{background:#fff;border:1px solid #ddd6c8;padding:20px;text-decoration:none;color:inherit}
.note{background:#fff;border:1px solid #ddd6c8;padding:12px;margin:8px 0;display:flex;justify-content:space-between}`;

const SCRIPT = `
const sort = document.getElementById("sort");
if (sort) sort.addEventListener("click", () => {
  document.getElementById("print").outerHTML = '<button id="print-sorted">Print sorted list</button>';
  document.getElementById("said").textContent = "The list is sorted.";
  document.getElementById("print-sorted").addEventListener("click", () => {
    document.getElementById("said").textContent = "The sorted list was sent to the printer.";
  });
});
const print = document.getElementById("print");
if (print) print.addEventListener("click", () => { document.getElementById("said").textContent = "The list was sent to the printer."; });`;

function page(title: string, body: Html, status = 200): WorkshopPage {
  const document = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title} · Workshop</title><link rel="icon" href="data:,"><style>`.text;
  const rest = html`</style></head>
<body>
<header><b>Workshop</b><nav aria-label="Main">
<a href="/">Overview</a><a href="/orders">Orders</a><a href="/customers">Customers</a><a href="/stock">Stock</a><a href="/desk">Desk</a><a href="/settings">Settings</a><a href="/help">Help</a>
</nav></header>
<main><h1>${title}</h1>${body}</main>
`.text;
  return { status, html: `${document}${STYLE}${rest}<script>${SCRIPT}</script></body></html>` };
}

function orderTable(orders: readonly Order[]): Html {
  return html`<table><thead><tr><th>Order</th><th>Customer</th><th>Item</th><th>State</th></tr></thead><tbody>${orders.map(
    ({ number, customer, item, state }) =>
      html`<tr><td><a href="/orders/${number}">Order ${number}</a></td><td>${customer}</td><td>${item}</td><td>${state}</td></tr>`,
  )}</tbody></table>`;
}

function orderPage({ number, customer, item, state, total }: Order): WorkshopPage {
  return page(
    `Order ${number}`,
    html`<p>${item} for <a href="/customers/${slug(customer)}">${customer}</a>, ${state}, ${total} euros.</p>
<p><a href="/stock/${slug(item)}">See ${item} in stock</a></p>
<form action="/orders/${number}/note" method="post"><label>Note <textarea name="note"></textarea></label><button>Save the note</button></form>
<h2>Danger</h2>
<form action="/orders/${number}/delete" method="post"><button>Delete order</button></form>`,
  );
}

function customerPage(name: string): WorkshopPage {
  return page(
    name,
    html`<p>Customer since 2019. <a href="/customers">All customers</a></p>
<h2>Orders</h2>${orderTable(ORDERS.filter(({ customer }) => customer === name))}`,
  );
}

function stockPage(item: string, at: number): WorkshopPage {
  return page(
    item,
    html`<p>${3 + at} pieces on shelf ${at + 1}. <a href="/stock">All stock</a></p>
<form action="/stock/${slug(item)}/count" method="post"><label>Count <input name="count" type="number"></label><button>Save the count</button></form>`,
  );
}

const newOrder = html`<form action="/orders" method="post">
<label>Customer <select name="customer">${CUSTOMERS.map((name) => html`<option>${name}</option>`)}</select></label>
<label>Item <input name="item" required></label>
<label>Quantity <input name="quantity" type="number" value="1"></label>
<button>Place order</button></form>`;

const invoiceSettings = html`<p><a href="/settings">Settings</a></p>
<form action="/settings/invoices" method="post">
<label>City <input name="city" value="Graz"></label>
<label>Prefix <input name="prefix" value="W-"></label>
<label>Days to pay <input name="days" type="number" value="14"></label>
<button>Save</button></form>`;

const dayPage = html`<p>Notes and the day's list.</p>
${["Call Anna about the oak", "Order glue", "Sharpen the planes"].map(
  (note, at) =>
    html`<div class="note"><span>${note}</span><a href="/desk/notes/${at + 1}">Edit note ${at + 1}</a></div>`,
)}
<h2>Today's list</h2>
<p><button id="sort">Sort by date</button> <button id="print">Print list</button></p>
<p id="said" role="status"></p>`;

function get(path: string): WorkshopPage | undefined {
  const [first = "", second, third] = path.split("/").filter(Boolean);
  switch (first) {
    case "":
      return page(
        "Overview",
        html`<div class="cards"><a href="/orders"><b>${ORDERS.length} orders</b><br>${ORDERS.filter(({ state }) => state === "open").length} open</a><a href="/customers"><b>${CUSTOMERS.length} customers</b></a><a href="/stock"><b>${ITEMS.length} items</b><br>in stock</a></div>
<p><a href="/orders/new">New order</a></p>`,
      );
    case "orders": {
      if (second === undefined)
        return page("Orders", html`<p><a href="/orders/new">New order</a></p>${orderTable(ORDERS)}`);
      if (second === "new") return page("New order", newOrder);
      const order = ORDERS.find(({ number }) => String(number) === second);
      return order && orderPage(order);
    }
    case "customers": {
      const name = CUSTOMERS.find((each) => slug(each) === second);
      if (name) return customerPage(name);
      const list = html`<ul>${CUSTOMERS.map((each) => html`<li><a href="/customers/${slug(each)}">${each}</a></li>`)}</ul>`;
      return second === undefined ? page("Customers", list) : undefined;
    }
    case "stock": {
      const at = ITEMS.findIndex((each) => slug(each) === second);
      const item = ITEMS[at];
      if (item) return stockPage(item, at);
      const list = html`<ul>${ITEMS.map((each) => html`<li><a href="/stock/${slug(each)}">${each}</a></li>`)}</ul>`;
      return second === undefined ? page("Stock", list) : undefined;
    }
    case "desk":
      if (second === undefined) return page("Desk", dayPage);
      return third === undefined
        ? undefined
        : page(
            `Note ${third}`,
            html`<form action="/desk/notes/${third}" method="post"><label>Text <input name="text"></label><button>Save</button></form><p><a href="/desk">Desk</a></p>`,
          );
    case "settings":
      if (second === "invoices") return page("Invoice settings", invoiceSettings);
      if (second === "team") {
        return page(
          "Team",
          html`<p><a href="/settings">Settings</a></p><form action="/settings/team" method="post"><label>Name <input name="name"></label><button>Invite</button></form>`,
        );
      }
      return page(
        "Settings",
        html`<ul><li><a href="/settings/invoices">Invoice settings</a></li><li><a href="/settings/team">Team</a></li></ul>`,
      );
    case "help": {
      const topic = HELP.find(([title]) => slug(title) === second);
      if (topic) return page(topic[0], html`<p>${topic[1]}</p><p><a href="/help">All help</a></p>`);
      const list = html`<ul>${HELP.map(([title]) => html`<li><a href="/help/${slug(title)}">${title}</a></li>`)}</ul>`;
      return second === undefined ? page("Help", list) : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * The application stores nothing. A submitted form is answered with a page that shows the submitted values.
 */
function post(fields: URLSearchParams): WorkshopPage {
  return page(
    "Saved",
    html`<p role="status">Saved.</p><dl>${[...fields].map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl><p><a href="/">Overview</a></p>`,
  );
}

export function workshopPage(method: string, path: string, fields: URLSearchParams): WorkshopPage {
  if (method === "POST") return post(fields);
  return get(path) ?? page("Not found", html`<p>There is no such page. <a href="/">Overview</a></p>`, 404);
}
