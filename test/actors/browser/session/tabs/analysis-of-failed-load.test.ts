/** Tests what an analysis says about a page that could not be loaded, in a real Chromium. */
import { expect, test } from "bun:test";
import { html, serveSite } from "../../../../sites/test-site-with-given-routes.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";

const stage = await stageOfTests();

test("an analysis says that the page could not be loaded, until another page has loaded", async () => {
  const stopped = serveSite({});
  stopped.stop();
  const outcome = await stage.session.open(stopped.url("/"));
  expect(outcome).toMatchObject({ success: false, data: { code: "navigation_failed" } });
  const failed = await stage.analyze();
  expect(failed).toMatchObject({
    url: stopped.url("/"),
    load_failed: expect.stringContaining(stopped.url("/")),
  });
  stage.site.routes.set("/", html("Home", "<a href=/orders>Orders</a>"));
  await stage.session.open(stage.site.url("/"));
  expect(await stage.analyze()).not.toHaveProperty("load_failed");
}, 60_000);
