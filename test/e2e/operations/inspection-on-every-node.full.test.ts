/**
 * Tests that actors and `/ws/inspect` give the same answers on every node of a cluster, no matter on which
 * node the actor runs.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { InspectionEvent } from "../../../machines/inspection/actor-inspection-topics.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { NatsServer } from "../../support/test-nats-server.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

setDefaultTimeout(120_000);

let data: Awaited<ReturnType<typeof dataFolder>>;
let broker: NatsServer;
let site: ScriptedSite;
const nodes: Cairn[] = [];

beforeAll(async () => {
  data = await dataFolder();
  broker = await NatsServer.start();
  site = serveSite({
    "*": async (request) => {
      await Bun.sleep(50);
      const n = Number(new URL(request.url).pathname.slice(2));
      return html(`Page ${n}`, `<a href="/p${2 * n + 1}">a</a> <a href="/p${2 * n + 2}">b</a>`);
    },
  });
  const env = { NATS_URL: broker.url, CAIRN_WORKERS: "1" };
  nodes.push(await Cairn.start({ data: join(data.path, "one"), env }));
  nodes.push(await Cairn.start({ data: join(data.path, "two"), env: { ...env, CAIRN_STORE: "bus" } }));
});

afterAll(async () => {
  for (const node of nodes.toReversed()) await node.stop();
  await broker?.stop();
  await site?.stop();
  await data?.remove();
});

/**
 * Subscribes to the inspection events of a job at a node. `greeted` resolves when the subscription is active,
 * and `heard` when the event of the transition `id` has arrived.
 */
function transitionHeard(
  node: Cairn,
  job: string,
  id: string,
): { readonly greeted: Promise<void>; readonly heard: Promise<void> } {
  const socket = new WebSocket(
    `${node.url.replace("http", "ws")}/ws/inspect?kind=exploration&id=${job}&what=microstep`,
  );
  const greeted = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as { readonly type: string; readonly event?: InspectionEvent };
    if (message.type === "hello") greeted.resolve();
    if (!JSON.stringify(message.event?.transitions ?? []).includes(id)) return;
    heard.resolve();
    socket.close();
  };
  return { greeted: greeted.promise, heard: heard.promise };
}

test("every node of a cluster shows an actor and its changes, no matter on which node the actor runs", async () => {
  const [one, two] = nodes;
  if (!one || !two) throw new Error("There are no two nodes.");
  // The node on which a job runs is random. So jobs are started until every node has one.
  const jobs = new Map<string, string>();
  for (let i = 0; jobs.size < nodes.length; i++) {
    const job_id = `job-${i}`;
    const start = {
      start_url: site.url("/p0"),
      job_id,
      knowledge_id: job_id,
      max_pages: 2_000,
      max_depth: 20,
    };
    expect((await one.post("/api/knowledge/explore/start", start)).status).toBe(200);
    const { body } = await two.get(`/api/actors/exploration/${job_id}`);
    const owner = String(body.owner).split("-w")[0] ?? "";
    if (jobs.has(owner)) await one.post("/api/knowledge/explore/cancel", { job_id });
    else jobs.set(owner, job_id);
  }
  for (const job of jobs.values()) {
    const watching = nodes.map((node) => transitionHeard(node, job, "exploration.active|PAUSE|0"));
    await Promise.all(watching.map(({ greeted }) => greeted));
    // A node learns with a delay that another node has a subscriber, and only then sends events to it. So
    // the job is paused repeatedly until every subscriber has received an event.
    let left = watching.length;
    for (const { heard } of watching) void heard.then(() => left--);
    while (left > 0) {
      expect((await one.post("/api/knowledge/explore/pause", { job_id: job })).status).toBe(200);
      await Bun.sleep(100);
      if (left > 0)
        expect((await two.post("/api/knowledge/explore/resume", { job_id: job })).status).toBe(200);
    }
    expect((await two.post("/api/knowledge/explore/pause", { job_id: job })).status).toBe(200);
    for (const node of nodes) {
      expect((await node.get(`/api/actors/exploration/${job}`)).body.state).toBe("paused");
      const { actors } = (await node.get("/api/actors?kind=exploration&state=paused")).body;
      expect(actors.map(({ id }: { id: string }) => id)).toContain(job);
    }
  }
  for (const job_id of jobs.values()) await two.post("/api/knowledge/explore/cancel", { job_id });
});

test("a ticket that one node issued opens a WebSocket on another node, only once", async () => {
  const keyed = {
    NATS_URL: broker.url,
    CAIRN_WORKERS: "1",
    CAIRN_STORE: "bus",
    CAIRN_API_KEY: "the-right-key",
  };
  // The nodes have only the role `gateway`, because this test only checks who may open the WebSockets.
  const [first, second] = await Promise.all(
    ["three", "four"].map(async (name) => {
      const node = await Cairn.launch({
        data: join(data.path, name),
        env: { ...keyed, CAIRN_ROLES: "gateway" },
      });
      nodes.push(node);
      const authorization = "Bearer the-right-key";
      while (
        !(await fetch(`${node.url}/ready`, { headers: { authorization } }).then(
          ({ ok }) => ok,
          () => false,
        ))
      )
        await Bun.sleep(50);
      return node;
    }),
  );
  if (!first || !second) throw new Error("There are no two nodes.");
  const headers = { authorization: "Bearer the-right-key" };
  const { ticket } = await (await fetch(`${first.url}/api/tickets`, { method: "POST", headers })).json();
  const opens = (node: Cairn) =>
    new Promise<boolean>((resolve) => {
      const socket = new WebSocket(`${node.url.replace("http", "ws")}/ws/inspect?ticket=${ticket}`);
      socket.onmessage = () => {
        socket.close();
        resolve(true);
      };
      socket.onerror = () => resolve(false);
    });
  expect([await opens(second), await opens(first), await opens(second)]).toEqual([true, false, false]);
});
