/** Tests explorations of one application with accounts of two roles into one map. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../sites/scripted-test-site.ts";
import { Cairn, dataFolder } from "./cairn-test-process.ts";
import { untilMapIsIdle } from "./wait-for-idle-map.ts";

const TIMEOUT = 120_000;
const MAP = "shop";
const PASSWORD = "open sesame";

let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
let site: ScriptedSite;
/** The links on the start page that only an administrator sees. */
let onlyAdmin = `<a href="/users">Users</a><button onclick="title.textContent = 'Audit'">Audit</button>`;

const accountOf = (request: Request): string | undefined =>
  /account=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1];

/** Serves a page to people who are signed in, and the sign-in page to others. */
function forMembers(title: string, body: (account: string) => string) {
  return (request: Request): Response => {
    const account = accountOf(request);
    if (account === undefined) return new Response(null, { status: 302, headers: { location: "/login" } });
    const page = html(title, `<h1>${title}</h1><nav>${body(account)}<a href="/help">Help</a></nav>`);
    return new Response(page, { headers: { "content-type": "text/html" } });
  };
}

beforeAll(async () => {
  site = serveSite({
    "/": forMembers(
      "Start",
      (account) => `<a href="/orders">Orders</a>${account === "ada" ? onlyAdmin : ""}`,
    ),
    "/orders": forMembers("Orders", () => `<a href="/">Start</a>`),
    "/users": forMembers("Users", () => `<a href="/">Start</a>`),
    "/help": forMembers("Help", () => `<a href="/">Start</a>`),
    "/login": async (request) => {
      const form = await (request.method === "POST" ? request.formData() : new FormData());
      if (form.get("password") === PASSWORD)
        return new Response(null, {
          status: 302,
          headers: { location: "/", "set-cookie": `account=${form.get("user")}; Path=/` },
        });
      return html(
        "Sign in",
        `<h1>Sign in</h1><form method="post"><label>User <input name="user"></label>
         <label>Password <input name="password" type="password"></label><button>Sign in</button></form>`,
      );
    },
  });
  data = await dataFolder();
  cairn = await Cairn.start({ data: data.path, env: { CAIRN_WORKERS: "1", CAIRN_SECRET_SHOP: PASSWORD } });
}, TIMEOUT);
afterAll(async () => {
  await cairn?.stop();
  await data?.remove();
  await site?.stop();
}, TIMEOUT);

async function exploreAs(user: string, role: string): Promise<void> {
  const job_id = `${role}-${crypto.randomUUID()}`;
  const { body } = await cairn.call("start_knowledge_exploration", {
    start_url: site.url("/"),
    knowledge_id: MAP,
    job_id,
    role,
    mode: "interactive",
    login: {
      url: site.url("/login"),
      fields: [
        { label: "User", value: user },
        { label: "Password", secret: "SHOP" },
      ],
      success: { text: "Orders" },
    },
  });
  expect(body.error).toBeUndefined();
  for (let status = "running"; status !== "completed"; ) {
    await cairn.call("wait_for_exploration", { job_id });
    status = (await cairn.get(`/api/knowledge/explore/status/${job_id}`)).body.status;
    expect(["queued", "running", "completed"]).toContain(status);
  }
  await untilMapIsIdle(cairn, MAP);
}

const ask = async (instruction_type: string, target: string, role?: string) =>
  (
    await cairn.post(`/api/knowledge/${MAP}/query`, {
      instruction_type,
      target,
      context: { current_url: site.url("/"), ...(role === undefined ? {} : { role }) },
    })
  ).body;

const actionsFor = async (role?: string): Promise<string[]> =>
  (await ask("get_actions", site.url("/"), role)).actions.map(
    ({ description }: { description: string }) => description,
  );

test(
  "a map explored with accounts of two roles gives each role its own routes and actions, and forgets only what a role no longer sees",
  async () => {
    await exploreAs("ada", "admin");
    await exploreAs("bob", "clerk");

    const asAdmin = await ask("navigate_to_screen", site.url("/users"), "admin");
    expect(asAdmin.actions.map(({ tool_name }: { tool_name: string }) => tool_name)).toEqual(["click"]);
    const asClerk = await ask("navigate_to_screen", site.url("/users"), "clerk");
    expect(asClerk.metadata).toMatchObject({ by_address: true });
    expect((await ask("navigate_to_screen", site.url("/orders"), "clerk")).actions).toHaveLength(1);

    const named = (actions: readonly string[], name: string) => actions.some((text) => text.includes(name));
    const [forAdmin, forClerk, forAny] = [
      await actionsFor("admin"),
      await actionsFor("clerk"),
      await actionsFor(),
    ];
    expect(["Users", "Audit", "Orders"].map((name) => named(forAdmin, name))).toEqual([true, true, true]);
    expect(["Users", "Audit", "Orders"].map((name) => named(forClerk, name))).toEqual([false, false, true]);
    expect(["Users", "Audit", "Orders"].map((name) => named(forAny, name))).toEqual([true, true, true]);

    const { body: file } = await cairn.get(`/api/knowledge/${MAP}/export`);
    const rolesTo = (path: string) =>
      file.transitions
        .filter(({ action }: { action: { url: string } }) => action.url === site.url(path))
        .map(({ roles }: { roles?: string[] }) => roles);
    expect(rolesTo("/users")).toEqual([["admin"]]);
    for (const roles of rolesTo("/orders")) expect(roles).toEqual(["admin", "clerk"]);

    const unknown = await ask("navigate_to_screen", site.url("/users"), "guest");
    expect(unknown).toMatchObject({ success: false, metadata: { code: "role.unknown" } });
    expect(unknown.error).toContain("admin, clerk");

    onlyAdmin = "";
    await exploreAs("ada", "admin");
    expect((await ask("navigate_to_screen", site.url("/users"), "admin")).metadata.by_address).toBe(true);
    expect(named(await actionsFor("clerk"), "Orders")).toBe(true);
    expect(named(await actionsFor(), "Audit")).toBe(false);
  },
  TIMEOUT,
);
