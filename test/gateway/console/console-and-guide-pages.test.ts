/**
 * Tests the document of the console: what its content policy permits, who may see it, and what a signed-in
 * person may do.
 */
import { describe, expect, test } from "bun:test";
import { loadConfig } from "../../../gateway/config.ts";
import { VIEW_PATHS } from "../../../gateway/console/console-document.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
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

test.each(VIEW_PATHS)(
  "the address %s serves the console without inline scripts and styles, and its content policy forbids them",
  async (path) => {
    const { status, text, headers } = await visit(
      testGateway(),
      path.replace(":kind", "k").replace(":id", "a%2Fb"),
    );
    expect(status).toBe(200);
    expect(text).toContain('<div id="app">');
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+="|<style|\sstyle="|javascript:/i);
    expect(headers.get("content-security-policy")).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  },
);

test("every link in the guide leads to an existing address of this Cairn", async () => {
  const gateway = testGateway();
  const seen = new Set<string>();
  const waiting = ["/guide", "/"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { status, text, headers } = await visit(gateway, path);
    expect([path, status]).toEqual([path, 200]);
    if (!headers.get("content-type")?.startsWith("text/html")) continue;
    for (const link of links(text)) {
      if (link.startsWith("data:") || link.startsWith("#")) continue;
      // Only pages of the guide may link to other sites. All other pages link only within this Cairn.
      if (path.startsWith("/guide") && /^https?:/.test(link)) continue;
      expect(link).toStartWith("/");
      waiting.push(link.replace(/#.*/, ""));
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining(["/console/console.js", "/console/console.css", "/docs"]));
});

test("a page that does not exist is reported in words to people and in JSON to programs", async () => {
  const gateway = testGateway();
  const page = await visit(gateway, "/nowhere");
  expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(page.text).toContain("Not here");
  expect((await gateway.call("GET", "/nowhere")).body.error.code).toBe("request.not_found");
});

test("an error page shows text that looks like a script without executing it", async () => {
  const { text } = await visit(testGateway(), "/%3Cscript%3Ealert(1)%3C/script%3E");
  expect(text).not.toContain("<script>");
});

describe("the state machines of the console", () => {
  test.if(isFull)(
    "are served as JSON with their commands and as pictures, and an unknown kind gets 404",
    async () => {
      const gateway = testGateway();
      const { body } = await gateway.call("GET", "/api/machines");
      expect(body.kinds).toContain("exploration");
      const machine = await gateway.call("GET", "/api/machines/dialogue");
      expect(machine.body.chart.states.map(({ id }: { id: string }) => id)).toContain("dialogue.clarifying");
      const approve = machine.body.commands.find(({ type }: { type: string }) => type === "APPROVE_PLAN");
      expect(approve.fields).toMatchObject({ type: "object", required: ["planVersion"] });
      const picture = await visit(gateway, "/api/machines/exploration/diagram.svg");
      expect(picture.headers.get("content-type")).toStartWith("image/svg+xml");
      expect(picture.text).toContain('data-state="exploration.active.running"');
      for (const kind of ["nonsense", "constructor"]) {
        expect((await gateway.call("GET", `/api/machines/${kind}`)).status).toBe(404);
      }
    },
  );
});

test("the style sheet and the script of the console are sent again only when they have changed", async () => {
  for (const path of ["/console/console.css", "/console/console.js"]) {
    const first = await visit(testGateway(), path);
    const again = await visit(testGateway(), path, {
      headers: { "if-none-match": first.headers.get("etag") ?? "" },
    });
    expect([first.status, again.status, again.text]).toEqual([200, 304, ""]);
  }
});

test("the configuration is returned to the console with its sources and without secrets", async () => {
  const gateway = testGateway({ env: { CAIRN_API_KEY: "the-planted-key" } });
  const { status, body } = await gateway.call("GET", "/api/configuration", undefined, {
    authorization: "Bearer the-planted-key",
  });
  expect(status).toBe(200);
  expect(JSON.stringify(body)).not.toContain("the-planted-key");
  expect(body.settings.find(({ name }: { name: string }) => name === "PORT").value).toBe("8000");
});

test("a command that the console sends to an actor is recorded in the audit log", async () => {
  const { cairn, ...gateway } = testGateway();
  const path = "/api/actors/exploration/one%2Ftwo/commands";
  const { status, body } = await gateway.call("POST", path, { type: "PAUSE" });
  expect([status, body]).toEqual([
    200,
    { kind: "exploration", id: "one/two", command: "PAUSE", reply: { status: "paused" } },
  ]);
  expect(cairn.operations.calls.at(-1)).toMatchObject({ kind: "exploration", type: "PAUSE", fields: {} });
  const [entry] = (await gateway.call("GET", "/api/audit")).body.entries;
  expect(entry).toMatchObject({ act: "send_command", subject: "exploration/one/two", outcome: "done" });
});

describe("signing in to the console", () => {
  const env = { CAIRN_API_KEY: "the-right-key" };
  const form = (fields: Record<string, string>) => ({
    method: "POST",
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  const cookieOf = (headers: Headers) => (headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const signedIn = async (gateway: TestGateway, key = "the-right-key") =>
    cookieOf((await visit(gateway, "/sign-in", form({ key }))).headers);
  const tokenOf = async (gateway: TestGateway, cookie: string) =>
    /data-token="([^"]*)"/.exec((await visit(gateway, "/", { headers: { cookie } })).text)?.[1] ?? "";

  test("leads to the page that the person requested before", async () => {
    const gateway = testGateway({ env });
    const asked = await visit(gateway, "/actors?kind=host");
    expect([asked.status, asked.text.includes("data-token")]).toEqual([401, false]);
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
    expect((await visit(gateway, "/actors", { headers: { cookie } })).text).toContain('data-caller="main"');
    // A node with the same API key accepts the session of the first node. A node with another API key refuses
    // it.
    expect((await visit(testGateway({ env }), "/actors", { headers: { cookie } })).status).toBe(200);
    const other = testGateway({ env: { CAIRN_API_KEY: "another-key" } });
    expect((await visit(other, "/actors", { headers: { cookie } })).status).toBe(401);
    const out = await visit(gateway, "/sign-out", { method: "POST", headers: { cookie } });
    expect(out.headers.get("set-cookie")).toStartWith(
      "cairn_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0",
    );
  });

  test("opens nothing for a wrong key, or for an invented or ended session", async () => {
    const gateway = testGateway({ env });
    const wrong = await visit(gateway, "/sign-in", form({ key: "wrong" }));
    expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([401, null]);
    expect(wrong.text).toContain("That is not the key.");
    const [, expires = "", proof = ""] = (await signedIn(gateway)).split(".");
    for (const cookie of [
      `cairn_session=main.${Number(expires) + 1}.${proof}`,
      `cairn_session=main.1.${proof}`,
      `cairn_session=main.${expires}.`,
      "cairn_session=x",
    ]) {
      expect((await visit(gateway, "/actors", { headers: { cookie } })).status).toBe(401);
    }
  });

  test("permits a change only if the request comes from a page of Cairn and contains the session's token", async () => {
    const gateway = testGateway({ env });
    const cookie = await signedIn(gateway);
    const token = await tokenOf(gateway, cookie);
    expect(token).toMatch(/^[\w-]{43}$/);
    const send = async (headers: Record<string, string>) =>
      await gateway.call("POST", "/api/actors/exploration/one%2Ftwo/unpark", undefined, {
        cookie,
        ...headers,
      });
    const own = { "sec-fetch-site": "same-origin", "x-cairn-csrf": token };
    expect((await send(own)).status).toBe(200);
    const [entry] = (await gateway.call("GET", "/api/audit", undefined, { cookie })).body.entries;
    expect(entry).toMatchObject({ caller: "main", act: "unpark_actor" });
    for (const headers of [
      {},
      { ...own, "sec-fetch-site": "cross-site" },
      { ...own, "sec-fetch-site": "same-site" },
      { "x-cairn-csrf": token },
      { "sec-fetch-site": "same-origin" },
      { ...own, "x-cairn-csrf": `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}` },
    ]) {
      const refused = await send(headers as Record<string, string>);
      expect([refused.status, refused.body.error.code]).toEqual([403, "security.csrf"]);
    }
    expect((await send({ ...own, origin: "https://evil.example" })).body.error.code).toBe(
      "security.origin_refused",
    );
  });

  test("gives a session the scope of its key", async () => {
    const gateway = testGateway({ env: { ...env, CAIRN_API_KEYS: "reader:read:the-key-of-reading-1" } });
    const cookie = await signedIn(gateway, "the-key-of-reading-1");
    const token = await tokenOf(gateway, cookie);
    const refused = await gateway.call("POST", "/api/actors/exploration/one%2Ftwo/unpark", undefined, {
      cookie,
      "sec-fetch-site": "same-origin",
      "x-cairn-csrf": token,
    });
    expect([refused.status, refused.body.error.code]).toEqual([403, "security.scope"]);
  });

  test.each([
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/..//evil.example",
  ])("never redirects to another site after the sign-in: %s", async (next) => {
    const { headers } = await visit(testGateway({ env }), "/sign-in", form({ key: "the-right-key", next }));
    expect(new URL(headers.get("location") ?? "", "http://127.0.0.1:8000").host).toBe("127.0.0.1:8000");
  });

  test("is not needed if no key is configured: the sign-in page redirects to the console", async () => {
    expect(loadConfig({}).config.apiKey).toBeUndefined();
    expect((await visit(testGateway(), "/sign-in")).status).toBe(303);
  });
});
