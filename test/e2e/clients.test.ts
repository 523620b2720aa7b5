/**
 * Typed clients against a running Cairn: the one that openapi-typescript makes of `gateway/openapi.yaml`, and Cairn's own.
 *
 * What must not compile says `@ts-expect-error`: of the made one tsc is asked here, of Cairn's own by `npm run check`.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { cairnClient } from "../../gateway/client.ts";
import { testGateway } from "../gateway/test-gateway.ts";
import { OPENAPI_FILE } from "../openapi.ts";
import { html, type ScriptedSite, serveSite } from "../sites/site.ts";
import { Cairn, dataFolder } from "./cairn-process.ts";

const ROOT = join(import.meta.dir, "../..");
const PATIENCE = 120_000;
const KEY = "sesame";

let site: ScriptedSite;
let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
/** Inside the project, where packages are found. */
let folder: string;

beforeAll(async () => {
  site = serveSite({
    "/": html("Home", '<h1>Home</h1><a href="/orders">Orders</a>'),
    "/orders": html("Orders", "<h1>Orders</h1><p>All of your orders are here.</p>"),
  });
  data = await dataFolder();
  cairn = await Cairn.start({ data: data.path });
  await mkdir(join(ROOT, ".cache"), { recursive: true });
  folder = await mkdtemp(join(ROOT, ".cache/client-"));
}, PATIENCE);

afterAll(async () => {
  await cairn?.stop();
  await data?.remove();
  await site?.stop();
  await rm(folder, { recursive: true, force: true });
}, PATIENCE);

/** Runs a program of the packages by this Bun; answers what it printed, or throws with it. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, program, ...args], {
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [told, wrong, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${told}\n${wrong}`);
  return told;
}

const program = `
import createClient from "openapi-fetch";
import type { paths } from "./types.d.ts";

const [baseUrl = "", start_url = ""] = process.argv.slice(2);
const cairn = createClient<paths>({ baseUrl });
const started = await cairn.POST("/api/knowledge/explore/start", {
  body: { start_url, max_pages: 2, knowledge_id: "made", job_id: "made" },
});
const path = { job_id: started.data?.job_id ?? "" };
let status: string | undefined;
do {
  const { data } = await cairn.GET("/api/knowledge/explore/status/{job_id}", { params: { path } });
  status = data?.status;
} while (status === "queued" || status === "running");
const { data: results } = await cairn.GET("/api/knowledge/explore/results/{job_id}", {
  params: { path, query: { limit: 2 } },
});
const titles: string[] | undefined = results?.pages.map(({ title }) => title);
const { error } = await cairn.GET("/api/knowledge/{knowledge_id}", {
  params: { path: { knowledge_id: "nowhere" } },
});
console.log(JSON.stringify({ status, titles: titles?.sort(), code: error?.error.code }));

export async function wrong() {
  // @ts-expect-error it is a number
  await cairn.POST("/api/knowledge/explore/start", { body: { start_url, max_pages: "2" } });
  // @ts-expect-error it is needed
  await cairn.POST("/api/knowledge/explore/start", { body: {} });
  // @ts-expect-error there is no such route
  await cairn.GET("/api/dance");
}
`;

test(
  "the client that openapi-typescript makes compiles, refuses what is wrong, and runs",
  async () => {
    const bin = (path: string) => join(ROOT, "node_modules", path);
    await run(bin("openapi-typescript/bin/cli.js"), [OPENAPI_FILE, "-o", join(folder, "types.d.ts")]);
    await Bun.write(join(folder, "client.ts"), program);
    await Bun.write(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          target: "ESNext",
          module: "Preserve",
          lib: ["ESNext", "DOM"],
          types: ["bun"],
          strict: true,
          exactOptionalPropertyTypes: true,
          allowImportingTsExtensions: true,
          noEmit: true,
          skipLibCheck: true,
        },
        include: ["client.ts", "types.d.ts"],
      }),
    );
    await run(bin("typescript/bin/tsc"), ["-p", folder]);
    const told = JSON.parse(await run("client.ts", [cairn.url, site.url("/")]));
    expect(told).toEqual({ status: "completed", titles: ["Home", "Orders"], code: "knowledge.not_found" });
  },
  PATIENCE,
);

test(
  "Cairn's own client explores and asks, and knows answers and errors by their types",
  async () => {
    const { api, health } = cairnClient(cairn.url);
    const alive: "ok" | undefined = (await health.get()).data?.status;
    expect(alive).toBe("ok");

    const job = { start_url: site.url("/"), max_pages: 2, knowledge_id: "own", job_id: "own" };
    const started = await api.knowledge.explore.start.post(job);
    expect(started.data?.job_id).toBe("own");
    const exploration = { job_id: "own" };
    let told = await api.knowledge.explore.status(exploration).get();
    while (told.data?.status === "queued" || told.data?.status === "running")
      told = await api.knowledge.explore.status(exploration).get();
    expect(told.data?.progress.completed).toBe(2);
    const results = await api.knowledge.explore.results(exploration).get({ query: { limit: 1 } });
    // A moment is a text, as its type says.
    const read: (string | undefined)[] | undefined = results.data?.pages.map(({ fetched_at }) => fetched_at);
    expect(read).toEqual([expect.any(String)]);

    const asked = await api.knowledge({ knowledge_id: "own" }).query.post({
      instruction_type: "navigate_to_screen",
      target: site.url("/orders"),
      context: { current_url: site.url("/") },
    });
    expect(asked.data?.actions.map(({ tool_name }) => tool_name)).toEqual(["click"]);
    const nowhere = await api.knowledge({ knowledge_id: "nowhere" }).get();
    expect(nowhere.error?.value.error.code).toBe("knowledge.not_found");
  },
  PATIENCE,
);

test("a key goes with every request of Cairn's own client", async () => {
  const { app } = testGateway({ env: { CAIRN_API_KEY: KEY } });
  app.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${app.server?.port}`;
  const known = await cairnClient(url, { apiKey: KEY }).api.knowledge.get();
  expect(known.data?.knowledge.length).toBe(1);
  const stranger = await cairnClient(url).api.knowledge.get();
  expect(stranger.error?.value.error.code).toBe("security.unauthorized");
  await app.server?.stop(true);
});

/** Never called: what stands here must not compile. */
export async function wrong(): Promise<void> {
  const { api, health } = cairnClient("http://127.0.0.1");
  // @ts-expect-error it is a text
  await api.knowledge.explore.start.post({ start_url: 3 });
  // @ts-expect-error it is needed
  await api.knowledge.explore.start.post({});
  // @ts-expect-error there is no such argument
  await api.knowledge.explore.start.post({ start_url: "http://x/", start_urls: [] });
  // @ts-expect-error there is no such route
  await api.knowledge.dance.post({});
  // @ts-expect-error there is no such parameter
  await api.knowledge.explore.results({ job_id: "a" }).get({ query: { partials: true } });
  // @ts-expect-error the answer has no such field
  console.log((await health.get()).data?.state);
}
