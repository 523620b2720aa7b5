/**
 * Tests the names of page states when the first heading of the page is not its own, but that of a notice or
 * of the site.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(120_000);
const MAP = "notices";

/**
 * A page whose button opens a dialog. The request for the dialog's data fails, so the page also shows a notice.
 */
const ORDERS = `<div id="notices"></div><h1>Orders</h1><a href="/help">Help</a>
<button onclick="fetch('http://127.0.0.1:9/figures').catch(({ message }) => {
  notices.innerHTML = '<div role=alert><h2></h2></div>'; notices.querySelector('h2').textContent = message;
}); panel.showModal()">Statistics</button>
<dialog id="panel"><h2>Figures of the year</h2><label>From <input name="from"></label><label>To <input name="to"></label>
<button onclick="panel.close()">Close</button></dialog>`;

/**
 * Returns the HTML of a page below a banner. The heading of the banner is the name of the site, or the name
 * of a product with its version.
 */
const returns = (banner: string) => `<h1>${banner}</h1><h1>Returns</h1>
<button onclick="reasons.showModal()">Reasons</button>
<dialog id="reasons"><h2>Why?</h2><label>Text <input name="text"></label><label>Day <input name="day"></label>
<button onclick="reasons.close()">Close</button></dialog>`;

const site = siteOfTests({
  "/": html("Store", ORDERS),
  "/help": html(
    "Help",
    "<h1>Store</h1><h1>Help</h1><a href='/'>Orders</a> <a href='/returns'>Returns</a> <a href='/late'>Late</a>",
  ),
  "/returns": html("Returns | Store", returns("Store 8.1")),
  "/late": html("Store | Returns", returns("Store").replace("Reasons", "Excuses")),
});

const cairn = await cairnOfTests();

test("a state is named after the heading of its page, and not after a notice or the name of the site", async () => {
  const { status } = await exploreIntoMap(cairn, MAP, { start_url: site.url("/"), mode: "interactive" });
  expect(status).toBe("completed");
  const { body } = await cairn.get(`/api/knowledge/${MAP}/export`);
  const names: readonly string[] = body.screens.map(({ name }: { name: string }) => name);
  expect(names).toContain("Orders: Statistics");
  expect(names).toContain("Returns: Reasons");
  expect(names).toContain("Returns: Excuses");
  expect(names.filter((name) => /fetch/i.test(name))).toEqual([]);
});
