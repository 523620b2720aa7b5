/** Tests that the scripts of web workers run, and that a page with a worker is ready without a long wait. */
import { expect, test } from "bun:test";
import { networkRequestSchema } from "../../../../machines/session/outputs/console-and-network-log-schemas.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { names } from "./session-in-shared-test-browser.ts";

const stage = await stageOfTests();

test("a web worker whose script is part of the page runs, and the page shows what the worker sends", async () => {
  const page = `<button id="save">Save</button><script>
    const script = new Blob(["postMessage('Computed')"], { type: "text/javascript" });
    window.worker = new Worker(URL.createObjectURL(script));
    worker.onmessage = ({ data }) => { save.textContent = data; };
  </script>`;
  await stage.show(page);
  expect((await stage.act("wait", { text: "Computed" })).success).toBe(true);
  const { loading, pending } = await stage.analyze();
  expect([loading, pending]).toEqual([undefined, undefined]);
  expect(names(await stage.analyze())).toEqual(["Computed"]);
});

test("a page with a worker whose script has its own address is ready at once, and its network becomes idle", async () => {
  stage.site.routes.set(
    "/worker.js",
    () => new Response("postMessage(1);", { headers: { "content-type": "text/javascript" } }),
  );
  await stage.show(`<button id="save">Save</button><script>
    new Worker("/worker.js").onmessage = () => { save.textContent = "Computed"; };
  </script>`);
  expect((await stage.act("wait", { text: "Computed" })).success).toBe(true);
  const { loading, pending } = await stage.analyze();
  expect([loading, pending]).toEqual([undefined, undefined]);
  expect((await stage.act("wait", { network_idle: true })).success).toBe(true);
  const requests = stage.session.resources.network(
    networkRequestSchema.parse({ room_name: "x", url: "/worker.js" }),
  );
  expect(requests).toMatchObject({ requests: [{ type: "worker", state: "done", status: 200 }], pending: 0 });
});
