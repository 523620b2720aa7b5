/**
 * A generated shop with eight pages, two of which have the same title. It also has an address with a query
 * parameter, a redirect, a form and a link to another site.
 */
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";

const navigation = '<nav><a href="/">Home</a> <a href="/orders/">Orders</a></nav>';

export function shop(): ScriptedSite {
  const page = (title: string, heading: string, body: string) =>
    html(`${title} | Acme shop`, `${navigation}<main><h1>${heading}</h1>${body}</main>`);
  return serveSite({
    "/": page(
      "Home",
      "Welcome",
      '<a href="/help">Help</a> <a href="/old-settings">Settings</a> <a href="https://else.example/">Else</a>',
    ),
    "/orders/": page(
      "Orders",
      "Your orders",
      `<h2>Open orders</h2><a href="1">Order 1</a> <a href="2?tab=items">Order 2</a>
       <form action="/search"><label>Order number <input name="q" type="text"></label><button>Find order</button></form>`,
    ),
    "/orders/1": page("Details", "Order 1", "<p>Nothing here.</p>"),
    "/orders/2?tab=items": page("Details", "Order 2", '<a href="invoice">Invoice</a>'),
    "/orders/invoice": page("Invoice", "Invoice of order 2", "<p>A zebra was sold.</p>"),
    "/help": page("Help", "Help", '<a href="/deep">Deep</a>'),
    "/deep": page("Deep", "Deep", ""),
    "/old-settings": new Response(null, { status: 302, headers: { location: "/settings" } }),
    "/settings": page("Settings", "Settings", '<button id="save">Save</button>'),
  });
}
