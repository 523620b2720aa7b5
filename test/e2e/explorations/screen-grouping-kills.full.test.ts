/**
 * Tests a map whose process is killed repeatedly while pages are ingested and screens are grouped. The map
 * must be equal to that of an undisturbed job.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { html, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

setDefaultTimeout(300_000);
const KILLS = 10;
const ORDERS = 120;
const CUSTOMERS = "ada bert clara dmitri emmy frida".split(" ");

function shop() {
  const page = (title: string, body: string) =>
    html(
      title,
      `<nav class="top"><a href="/">Start</a> <a href="/orders">Orders</a> <a href="/customers">Customers</a></nav><main><h1>${title}</h1>${body}</main>`,
    );
  const link = (path: string, text: string) => `<li class="row"><a href="${path}">${text}</a></li>`;
  const orders = Array.from({ length: ORDERS }, (_, at) => link(`/orders/${at + 1}`, `Order ${at + 1}`));
  const customers = CUSTOMERS.map((name) => link(`/customers/${name}`, name));
  return serveSite({
    "/": page("Start", "<p>Welcome.</p>"),
    "/orders": page(
      "Orders",
      `<form><input name="q"><button>Find</button></form><ul class="list">${orders.join("")}</ul>`,
    ),
    "/customers": page("Customers", `<ul class="people">${customers.join("")}</ul>`),
    "*": (request) => {
      const [, kind, id = ""] = new URL(request.url).pathname.split("/");
      if (kind === "orders") {
        return page(
          `Order ${id}`,
          `<dl class="order"><dt>Number</dt><dd>${id}</dd></dl><button>Print</button><button>Send again</button>`,
        );
      }
      if (kind === "customers" && CUSTOMERS.includes(id)) {
        return page(
          id,
          `<section class="person"><h2>Address</h2><p>Somewhere</p></section><label>Note <input name="note"></label>`,
        );
      }
      return new Response("no", { status: 404 });
    },
  });
}

/** Waits until the screens of the map no longer change. Returns the screens without their times. */
async function grouped(cairn: Cairn): Promise<unknown> {
  for (let [before, same] = ["", 0]; ; await Bun.sleep(150)) {
    const { body } = await cairn.get("/api/knowledge/shop/screens");
    const { body: status } = await cairn.get("/api/knowledge/explore/status/shop");
    const now = JSON.stringify(body);
    same = now === before && status.status === "completed" ? same + 1 : 0;
    if (same >= 4) return body;
    before = now;
  }
}

async function explore(cairn: Cairn, url: string): Promise<void> {
  await cairn.call("start_knowledge_exploration", {
    start_url: url,
    render: "http",
    knowledge_id: "shop",
    job_id: "shop",
  });
}

test("a map is the same with ten kills of the process during its ingest as without kills", async () => {
  const site = shop();
  const env = { CAIRN_WORKERS: "1" };
  const [calm, killed] = [await dataFolder(), await dataFolder()];
  let cairn = await Cairn.start({ data: calm.path, env });
  try {
    await explore(cairn, site.url("/"));
    const expected = await grouped(cairn);
    await cairn.stop();
    cairn = await Cairn.start({ data: killed.path, env });
    await explore(cairn, site.url("/"));
    // The first kill happens in the middle of the crawl. The last happens during the grouping of screens,
    // which starts when nearly all pages are ingested.
    for (let kill = 0; kill < KILLS; kill++) {
      await Bun.sleep(60 + kill * 70);
      await cairn.kill();
      cairn = await Cairn.start({ data: killed.path, env });
    }
    expect(await grouped(cairn)).toEqual(expected);
  } finally {
    await cairn.stop();
    await site.stop();
    await calm.remove();
    await killed.remove();
  }
});
