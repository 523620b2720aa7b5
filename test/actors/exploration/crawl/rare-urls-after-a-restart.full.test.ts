/**
 * Tests that a crawl still prefers URLs of rare forms after its process was restarted. For this, the crawl
 * must store how many URLs of each form it has found, and how many it has postponed.
 */
import { expect, test } from "bun:test";
import { html, serveSite } from "../../../sites/test-site-with-given-routes.ts";
import { type Explored, Explorer } from "./test-exploration-runner.ts";

const LISTS = ["customers", "reports", "suppliers"];
const ORDERS = Array.from({ length: 80 }, (_, at) => `/orders/${at + 1}`);
/**
 * Names of the items in each list. A crawl reserves a number of its pages for rare forms of URLs. The items of two
 * lists use up this number.
 */
const NAMES = "ada bert clara dmitri emmy frida gustav hanna".split(" ");

/**
 * Explores a site with several lists. The site answers the request for a list only when the crawl has queued
 * the items of the list before it.
 *
 * @param restartBefore names of lists; the exploration is restarted before the site answers the request for
 * each of these lists
 */
async function pagesOf(explorer: Explorer, restartBefore: readonly string[]): Promise<Explored["pages"]> {
  const gates = new Map([...LISTS, "orders"].map((name) => [name, Promise.withResolvers<void>()]));
  const page = (title: string, to: readonly string[]) =>
    html(title, `<h1>${title}</h1>${to.map((path) => `<a href="${path}">${path}</a>`).join(" ")}`);
  const site = serveSite({
    "/": page("Start", ["/orders", ...LISTS.map((name) => `/${name}`)]),
    "/orders": page("Orders", ORDERS),
    "*": async (request) => {
      const [, kind = "", item] = new URL(request.url).pathname.split("/");
      if (item !== undefined) await gates.get("orders")?.promise;
      else await gates.get(kind)?.promise;
      const items = NAMES.map((name) => `/${kind}/${name}`);
      return page(item === undefined ? kind : `${kind} ${item}`, item === undefined ? items : []);
    },
  });
  const id = await explorer.begin(site, "/", { max_pages: 60, sitemaps: false });
  let known = ORDERS.length;
  for (const name of LISTS) {
    for (;;) {
      const { queued, held, done } = await explorer.store.frontier.counts(id);
      if (queued + held + done >= known) break;
      await Bun.sleep(5);
    }
    if (restartBefore.includes(name)) await explorer.restart();
    gates.get(name)?.resolve();
    known += NAMES.length;
  }
  gates.get("orders")?.resolve();
  const { pages } = await explorer.ended(id);
  await site.stop();
  return pages;
}

test("a crawl that is restarted reads the same pages with rare addresses as a crawl without a restart", async () => {
  const explorer = await Explorer.start();
  try {
    const calm = await pagesOf(explorer, []);
    const count = (kind: string) => calm.filter((path) => path.startsWith(`/${kind}/`)).length;
    expect(LISTS.map(count)).toEqual([8, 8, 0]);
    expect(await pagesOf(explorer, ["customers"])).toEqual(calm);
    expect(await pagesOf(explorer, ["suppliers"])).toEqual(calm);
    expect(await pagesOf(explorer, LISTS)).toEqual(calm);
  } finally {
    await explorer.stop();
  }
}, 30_000);
