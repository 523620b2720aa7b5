/** The served console pages: their links, their security policy, and access. */
import { describe, expect, test } from "bun:test";
import { loadConfig } from "../../../gateway/config.ts";
import { type TestGateway, testGateway } from "../test-gateway.ts";

const PAGE = { accept: "text/html", host: "127.0.0.1:8000" };

async function visit(
  { app }: TestGateway,
  path: string,
  more: RequestInit = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const request = new Request(`http://127.0.0.1:8000${path}`, {
    ...more,
    headers: { ...PAGE, ...more.headers },
  });
  const response = await app.handle(request);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const links = (text: string) =>
  [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, link = ""]) => link.replaceAll("&amp;", "&"));

test("every link from the first page and onwards leads to a page of this Cairn", async () => {
  const gateway = testGateway();
  const seen = new Set<string>();
  const waiting = ["/"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { status, text, headers } = await visit(gateway, path);
    expect([path, status]).toEqual([path, 200]);
    if (!headers.get("content-type")?.startsWith("text/html")) continue;
    for (const link of links(text)) {
      if (link.startsWith("data:") || link.startsWith("#")) continue;
      // Only the guide may contain an address outside this Cairn.
      if (path.startsWith("/guide") && /^https?:/.test(link)) continue;
      expect(link).toStartWith("/");
      waiting.push(link);
    }
  }
  expect([...seen]).toEqual(
    expect.arrayContaining([
      "/actors",
      "/actors/exploration/one%2Ftwo",
      "/ready",
      "/openapi.json",
      "/docs/assets/swagger-ui.js",
      "/docs/assets/redoc.js",
      "/console/console.js",
    ]),
  );
});

test.each(["/", "/actors", "/actors/exploration/one%2Ftwo"])(
  "%s has no inline script or style, and its policy forbids them",
  async (path) => {
    const { text, headers } = await visit(testGateway(), path);
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+="|<style|\sstyle="|javascript:/i);
    expect(headers.get("content-security-policy")).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  },
);

test("names and contents of actors are escaped", async () => {
  const gateway = testGateway();
  const evil = "<script>alert(1)</script>\"'&";
  const { operations } = gateway.cairn;
  const head = {
    kind: "exploration",
    id: evil,
    state: evil,
    version: 1,
    shard: 1,
    wake_at: null,
    updated_at: "2026-01-12T10:00:00.000Z",
  };
  operations.actors = async () => ({ actors: [head], next_cursor: evil });
  const real = operations.actor.bind(operations);
  operations.actor = async () => {
    const actor = await real("exploration", "one/two");
    const event = {
      at: head.updated_at,
      type: evil,
      source: evil,
      command_id: null,
      outcome: evil,
      state: evil,
    };
    return {
      ...actor,
      id: evil,
      state: evil,
      owner: evil,
      context: { [evil]: { [evil]: evil } },
      last_events: [event],
    };
  };
  for (const path of [
    "/actors",
    `/actors?state=${encodeURIComponent(evil)}`,
    `/actors/exploration/${encodeURIComponent(evil)}`,
  ]) {
    const { status, text } = await visit(gateway, path);
    expect(status).toBe(200);
    expect(text).not.toContain("<script>");
    expect(text).toContain("&lt;script&gt;");
  }
});

test("the list is paged by kind and state, and its next link keeps the filter", async () => {
  const gateway = testGateway();
  const { operations } = gateway.cairn;
  const list = operations.actors.bind(operations);
  operations.actors = async (request) => ({ ...(await list(request)), next_cursor: "exploration/one/two" });
  const { text } = await visit(gateway, "/actors?kind=exploration&state=parked&id=");
  expect(operations.calls.at(-1)).toMatchObject({ kind: "exploration", state: "parked", limit: 50 });
  const next = links(text).find((link) => link.includes("cursor="));
  expect(next).toBe("/actors?kind=exploration&state=parked&cursor=exploration%2Fone%2Ftwo");
  expect((await visit(gateway, next ?? "")).text).toContain("First page");
});

test("a form with kind and id leads to that actor", async () => {
  const { status, headers } = await visit(testGateway(), "/actors?kind=exploration&id=a%2Fb&state=");
  expect([status, headers.get("location")]).toEqual([303, "/actors/exploration/a%2Fb"]);
});

test("an actor's page shows its state without a script", async () => {
  const { cairn, ...gateway } = testGateway();
  const real = cairn.operations.actor.bind(cairn.operations);
  const event = { at: "2026-01-12T10:00:00.000Z", source: "caller", command_id: "1", outcome: "ok" };
  cairn.operations.actor = async (kind, id) => ({
    ...(await real(kind, id)),
    state: "paused",
    value: "paused",
    parked: null,
    last_events: [
      { ...event, type: "BEGUN", state: "active.running" },
      { ...event, type: "PAUSE", state: "paused" },
    ],
  });
  const { text } = await visit({ cairn, ...gateway }, "/actors/exploration/one%2Ftwo");
  expect(text).toContain('<g class="state atomic active" data-state="exploration.paused"');
  expect(text).toContain('<g class="transition taken" data-transition="exploration.active|PAUSE|0"');
  expect(text.match(/class="transition taken"/g)).toHaveLength(1);
});

test("a missing page answers people with HTML and programs with JSON", async () => {
  const gateway = testGateway();
  const page = await visit(gateway, "/actors/exploration/nobody");
  expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(page.text).toContain("There is no actor exploration/nobody.");
  expect((await gateway.call("GET", "/actors/exploration/nobody")).body.error.code).toBe("actor.not_found");
});

describe("machines", () => {
  test("are served as data and as pictures, and an unknown kind is 404", async () => {
    const gateway = testGateway();
    const { body } = await gateway.call("GET", "/api/machines");
    expect(body.kinds).toContain("exploration");
    const machine = await gateway.call("GET", "/api/machines/exploration");
    expect(machine.body.chart.states.map(({ id }: { id: string }) => id)).toContain(
      "exploration.active.running",
    );
    const picture = await visit(gateway, "/api/machines/exploration/diagram.svg");
    expect(picture.headers.get("content-type")).toStartWith("image/svg+xml");
    expect(picture.text).toContain('data-state="exploration.active.running"');
    for (const kind of ["nonsense", "constructor"]) {
      expect((await gateway.call("GET", `/api/machines/${kind}`)).status).toBe(404);
    }
  });
});

test("the style sheet and the script are cached until they change", async () => {
  for (const path of ["/console/console.css", "/console/console.js"]) {
    const first = await visit(testGateway(), path);
    const again = await visit(testGateway(), path, {
      headers: { "if-none-match": first.headers.get("etag") ?? "" },
    });
    expect([first.status, again.status, again.text]).toEqual([200, 304, ""]);
  }
});

describe("with an API key", () => {
  const env = { CAIRN_API_KEY: "the-right-key" };
  const form = (fields: Record<string, string>) => ({
    method: "POST",
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  const cookieOf = (headers: Headers) => (headers.get("set-cookie") ?? "").split(";")[0] ?? "";

  test("a person signs in and continues to the requested page", async () => {
    const gateway = testGateway({ env });
    const asked = await visit(gateway, "/actors?kind=host");
    expect([asked.status, asked.text.includes("one/two")]).toEqual([401, false]);
    expect(asked.text).toContain('name="next" value="/actors?kind=host"');
    const signed = await visit(
      gateway,
      "/sign-in",
      form({ key: "the-right-key", next: "/actors?kind=host" }),
    );
    expect([signed.status, signed.headers.get("location")]).toEqual([303, "/actors?kind=host"]);
    expect(signed.headers.get("set-cookie")).toMatch(/; HttpOnly; SameSite=Lax/);
    expect(signed.headers.get("set-cookie")).not.toContain("the-right-key");
    const cookie = cookieOf(signed.headers);
    expect((await visit(gateway, "/actors", { headers: { cookie } })).text).toContain("one/two");
    // Another node with the same key accepts the session, one with another key does not.
    expect((await visit(testGateway({ env }), "/actors", { headers: { cookie } })).status).toBe(200);
    const other = testGateway({ env: { CAIRN_API_KEY: "another-key" } });
    expect((await visit(other, "/actors", { headers: { cookie } })).status).toBe(401);
  });

  test("a wrong key, and an invented or ended session, open nothing", async () => {
    const gateway = testGateway({ env });
    const wrong = await visit(gateway, "/sign-in", form({ key: "wrong" }));
    expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([401, null]);
    expect(wrong.text).toContain("That is not the key.");
    const signed = await visit(gateway, "/sign-in", form({ key: "the-right-key" }));
    const [expires = "", proof = ""] = cookieOf(signed.headers).replace("cairn_session=", "").split(".");
    for (const cookie of [
      `cairn_session=${Number(expires) + 1}.${proof}`,
      `cairn_session=1.${proof}`,
      `cairn_session=${expires}.`,
      "cairn_session=x",
    ]) {
      expect((await visit(gateway, "/actors", { headers: { cookie } })).status).toBe(401);
    }
  });

  test("a session may only read", async () => {
    const gateway = testGateway({ env });
    const cookie = cookieOf((await visit(gateway, "/sign-in", form({ key: "the-right-key" }))).headers);
    const paused = await visit(gateway, "/api/knowledge/explore/pause", {
      method: "POST",
      body: "{}",
      headers: { cookie },
    });
    expect(paused.status).toBe(401);
    const foreign = await visit(gateway, "/actors", { headers: { cookie, origin: "https://evil.example" } });
    expect(foreign.status).toBe(403);
  });

  test.each([
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/..//evil.example",
  ])("signing in never redirects to another site: %s", async (next) => {
    const { headers } = await visit(testGateway({ env }), "/sign-in", form({ key: "the-right-key", next }));
    expect(new URL(headers.get("location") ?? "", "http://127.0.0.1:8000").host).toBe("127.0.0.1:8000");
  });

  test("without an API key no sign-in is needed", async () => {
    expect(loadConfig({}).config.apiKey).toBeUndefined();
    expect((await visit(testGateway(), "/sign-in")).status).toBe(303);
  });
});
