/**
 * Tests the options with which sessions of a real Cairn start: logins with secrets, saved logins, headers, and
 * another proxy.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { ownCairnOfTests } from "../support/own-test-cairn.ts";

setDefaultTimeout(120_000);
const PASSWORD = "pa55 & word";

const signedIn = (request: Request) => /sid=in/.test(request.headers.get("cookie") ?? "");
const site = siteOfTests({
  "/login": html(
    "Login",
    `<form method="post" action="/check"><label>User <input name="user"></label>
       <label>Password <input name="pass" type="password"></label><button>Sign in</button></form>`,
  ),
  "/check": async (request) => {
    const right = new URLSearchParams(await request.text()).get("pass") === PASSWORD;
    const headers = { location: "/home", "set-cookie": "sid=in; Path=/; HttpOnly" };
    return right ? new Response(null, { status: 303, headers }) : html("Login", "<p role=alert>Wrong</p>");
  },
  "/home": (request) =>
    html("Home", signedIn(request) ? `<h1>Welcome ${PASSWORD.replace("&", "&amp;")}</h1>` : "<h1>Who?</h1>"),
  "/outputs": (request) =>
    html("Told", `<p>${request.headers.get("x-key")} ${request.headers.get("via")}</p>`),
});

const { data, cairn } = await ownCairnOfTests({
  env: {
    CAIRN_WORKERS: "1",
    CAIRN_SECRET_SHOP: PASSWORD,
    CAIRN_SECRET_OTHER: "x",
    CAIRN_SECRET_OTHER_HOST: "other.test",
  },
});

const summary = async (room_name: string): Promise<string> =>
  (await cairn.call("get_screen_content", { room_name })).body.dom_summary;

const recipe = (secret: string) => ({
  url: site.url("/login"),
  fields: [
    { label: "User", value: "ann" },
    { label: "Password", secret },
  ],
  submit: "Sign in",
  success: { text: "Welcome" },
});

test("a session signs in at its start and again by an action, with a secret that no output contains", async () => {
  const heard: string[] = [];
  const events = new WebSocket(`${cairn.url.replace("http", "ws")}/mcp/events/a`);
  events.onmessage = ({ data: event }) => heard.push(String(event));
  await new Promise((resolve) => {
    events.onopen = resolve;
  });
  const started = await cairn.call("start_browser_session", {
    room_name: "a",
    initial_url: site.url("/home"),
    login: recipe("SHOP"),
  });
  expect(started.body).toEqual({ status: "started", room_name: "a" });
  expect(await summary("a")).toContain("Welcome ********");
  const again = await cairn.call("execute_action", { room_name: "a", action_type: "login" });
  expect(again.body).toMatchObject({ success: true, data: { logged_in: true } });
  const literal = {
    ...recipe("SHOP"),
    fields: [
      { label: "User", value: "ann" },
      { label: "Password", value: PASSWORD },
    ],
  };
  const other = await cairn.call("execute_action", {
    room_name: "a",
    action_type: "login",
    params: { login: literal },
  });
  expect(other.body).toMatchObject({ success: true });
  while (heard.filter((event) => event.includes("action_completed")).length < 2) await Bun.sleep(20);
  events.close();
  const outputs = JSON.stringify([
    heard,
    (await cairn.get("/api/actors/session/a")).body,
    (await cairn.call("analyze_page", { room_name: "a", include_text: true })).body,
    (await cairn.call("extract", { room_name: "a" })).body,
    (await cairn.call("get_network_log", { room_name: "a", include_headers: true })).body,
    again.body,
    other.body,
  ]);
  expect(outputs).not.toMatch(/pa55/);
  expect(JSON.stringify(cairn.output)).not.toMatch(/pa55/);
  const { body: state } = await cairn.call("get_storage_state", { room_name: "a" });
  expect(state.cookies).toMatchObject([{ name: "sid", value: "in", httpOnly: true }]);
  await cairn.call("start_browser_session", {
    room_name: "b",
    initial_url: site.url("/home"),
    storage_state: state,
  });
  expect(await summary("b")).toContain("Welcome");
});

test.if(isFull)(
  "a session that could not sign in at its start signs in when it is started again with another recipe",
  async () => {
    const start = (success: string) =>
      cairn.call("start_browser_session", {
        room_name: "again",
        initial_url: site.url("/outputs"),
        login: { ...recipe("SHOP"), success: { text: success } },
      });
    expect((await start("Never shown")).body).toMatchObject({ status: "error", code: "login_failed" });
    for (let repeated = 0; repeated < 2; repeated++)
      expect((await start("Welcome")).body).toEqual({ status: "started", room_name: "again" });
    expect((await cairn.call("list_sessions", {})).body.sessions).toContainEqual(
      expect.objectContaining({ room_name: "again", url: site.url("/outputs") }),
    );
  },
);

test("secrets are set over REST, never returned, and sent only to their hosts", async () => {
  const set = await cairn.put("/api/secrets/shop2", { value: PASSWORD, host: new URL(site.origin).host });
  expect(set.body).toMatchObject({ name: "SHOP2", source: "stored" });
  const list = await cairn.get("/api/secrets");
  expect(list.body.secrets.map(({ name }: { name: string }) => name)).toEqual(["OTHER", "SHOP", "SHOP2"]);
  expect(JSON.stringify([set.body, list.body])).not.toMatch(/pa55/);
  const started = await cairn.call("start_browser_session", { room_name: "c", login: recipe("shop2") });
  expect(started.body).toEqual({ status: "started", room_name: "c" });
  for (const [room_name, secret] of [
    ["d", "OTHER"],
    ["e", "NONE"],
  ] as const) {
    const refused = await cairn.call("start_browser_session", { room_name, login: recipe(secret) });
    expect(refused.body).toMatchObject({ status: "error", code: "secret_refused" });
  }
  expect((await cairn.delete("/api/secrets/shop2")).status).toBe(200);
  expect((await cairn.delete("/api/secrets/shop2")).status).toBe(404);
  expect((await cairn.put("/api/secrets/a-b", { value: "x" })).status).toBe(422);
});

test.if(isFull)(
  "a session uses its own headers and proxy, and forbidden addresses stay forbidden behind that proxy",
  async () => {
    const asked: string[] = [];
    const proxy = createServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.once("data", (head) => {
        const text = head.toString("latin1");
        asked.push(text.split("\r\n")[0] ?? "");
        const [, address = ""] = /^\w+ (?:http:\/\/)?([^/ ]+)/.exec(text) ?? [];
        const [host = "", port = "80"] = address.split(":");
        const upstream = connect(Number(port), host, () => {
          upstream.write(text.replace(/http:\/\/[^/]+/, "").replace("\r\n", "\r\nVia: test\r\n"));
          upstream.pipe(socket);
          socket.pipe(upstream);
        });
        upstream.on("error", () => socket.destroy());
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const { port } = proxy.address() as { port: number };
    try {
      await cairn.call("start_browser_session", {
        room_name: "p",
        initial_url: site.url("/outputs"),
        headers: { "X-Key": { secret: "SHOP" } },
        proxy: { server: `http://127.0.0.1:${port}` },
      });
      expect(await summary("p")).toContain("******** test");
      const refused = await cairn.call("execute_action", {
        room_name: "p",
        action_type: "navigate",
        params: { url: "http://169.254.169.254/latest/" },
      });
      expect(refused.body).toMatchObject({ success: false, data: { code: "navigation_blocked" } });
      expect(asked.some((line) => line.includes("169.254"))).toBe(false);
      const link = await cairn.call("start_browser_session", {
        room_name: "q",
        proxy: { server: "169.254.169.254:80" },
      });
      expect(link.body).toMatchObject({ error: { code: "egress.refused" } });
    } finally {
      proxy.close();
    }
  },
);

test("no secret is readable in the data folder", async () => {
  await cairn.stop();
  const files = await readdir(data, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile())) {
    const text = (await readFile(join(file.parentPath, file.name))).toString("latin1");
    expect([file.name, text.includes("pa55")]).toEqual([file.name, false]);
  }
});
