/** Tests explorations of one application with accounts of two roles into one map. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { endOf } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";
import { untilMapIsIdle } from "../support/wait-for-idle-map.ts";

setDefaultTimeout(120_000);
const MAP = "shop";
const PASSWORD = "open sesame";
/** A PNG image of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Links that only an administrator sees on the start page. */
const ADMIN_LINKS = `<a href="/users">Users</a><button onclick="title.textContent = 'Audit'">Audit</button>`;
let onlyAdmin = ADMIN_LINKS;

const accountOf = (request: Request): string | undefined =>
  /account=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1];

const redirect = (location: string): Response => new Response(null, { status: 302, headers: { location } });

/** Serves a page to accounts that are signed in, and the sign-in page to others. */
function forMembers(title: string, body: (account: string) => string) {
  return (request: Request): Response => {
    const account = accountOf(request);
    if (account === undefined) return redirect("/login");
    const page = html(title, `<h1>${title}</h1><nav>${body(account)}<a href="/help">Help</a></nav>`);
    return new Response(page, { headers: { "content-type": "text/html" } });
  };
}

const site = siteOfTests({
  "/": forMembers("Start", (account) => `<a href="/orders">Orders</a>${account === "ada" ? onlyAdmin : ""}`),
  "/orders": forMembers("Orders", () => `<a href="/">Start</a><a href="/reports">Reports</a>`),
  // Both accounts see the link to the reports, but only the account "ada" may open them. The other account
  // is redirected.
  "/reports": (request) =>
    accountOf(request) === "ada"
      ? forMembers("Reports", () => `<a href="/archive">Archive</a>`)(request)
      : redirect("/"),
  "/archive": forMembers("Archive", () => `<a href="/">Start</a>`),
  "/users": forMembers("Users", () => `<a href="/">Start</a>`),
  "/help": forMembers("Help", () => `<a href="/picture">Logo</a><a href="/figures">Figures</a>`),
  "/picture": () => new Response(PIXEL, { headers: { "content-type": "image/png" } }),
  "/figures": () => Response.json({ orders: 17 }),
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

const cairn = await cairnOfTests();

beforeAll(async () => {
  expect((await cairn.put("/api/secrets/SHOP", { value: PASSWORD })).status).toBe(200);
});

async function exploreAs(user: string, role: string | undefined, map = MAP): Promise<void> {
  const job_id = `${user}-${crypto.randomUUID()}`;
  const { body } = await cairn.call("start_knowledge_exploration", {
    start_url: site.url("/"),
    knowledge_id: map,
    job_id,
    ...(role === undefined ? {} : { role }),
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
  expect((await endOf(cairn, job_id)).status).toBe("completed");
  await untilMapIsIdle(cairn, map);
}

interface Asked {
  readonly role?: string;
  readonly map?: string;
  /** The page from which a route starts. */
  readonly from?: string;
}

const ask = async (instruction_type: string, target: string, { role, map = MAP, from = "/" }: Asked) =>
  (
    await cairn.post(`/api/knowledge/${map}/query`, {
      instruction_type,
      target,
      context: { current_url: site.url(from), ...(role === undefined ? {} : { role }) },
    })
  ).body;

const routeTo = (path: string, asked: Asked) => ask("navigate_to_screen", site.url(path), asked);

/** Returns for each name whether the start page offers an action with this name. */
async function offers(names: readonly string[], asked: Asked): Promise<readonly boolean[]> {
  const { actions } = await ask("get_actions", site.url("/"), asked);
  const texts = actions.map(({ description }: { description: string }) => description);
  return names.map((name) => texts.some((text: string) => text.includes(name)));
}

test("a map explored with accounts of two roles gives each role its own routes and actions, and forgets only what a role no longer sees", async () => {
  await exploreAs("ada", "admin");
  await exploreAs("bob", "clerk");

  const asAdmin = await routeTo("/users", { role: "admin" });
  expect(asAdmin.actions.map(({ tool_name }: { tool_name: string }) => tool_name)).toEqual(["click"]);
  const asClerk = await routeTo("/users", { role: "clerk" });
  expect(asClerk.metadata).toMatchObject({ by_address: true });
  expect(asClerk.metadata.reason).toContain("for the role clerk");
  expect((await routeTo("/orders", { role: "clerk" })).actions).toHaveLength(1);

  const names = ["Users", "Audit", "Orders"];
  expect(await offers(names, { role: "admin" })).toEqual([true, true, true]);
  expect(await offers(names, { role: "clerk" })).toEqual([false, false, true]);
  expect(await offers(names, {})).toEqual([true, true, true]);

  const { body: file } = await cairn.get(`/api/knowledge/${MAP}/export`);
  const rolesTo = (path: string) =>
    file.transitions
      .filter(({ action }: { action: { url: string } }) => action.url === site.url(path))
      .map(({ roles }: { roles?: string[] }) => roles);
  expect(rolesTo("/users")).toEqual([["admin"]]);
  for (const roles of rolesTo("/orders")) expect(roles).toEqual(["admin", "clerk"]);

  // The links to an image and to JSON were followed, because a browser shows both. They must not become screens.
  const files = [site.url("/picture"), site.url("/figures")];
  expect(file.screens.filter(({ url }: { url: string }) => files.includes(url))).toEqual([]);

  const unknown = await routeTo("/users", { role: "guest" });
  expect(unknown).toMatchObject({ success: false, metadata: { code: "role.unknown" } });
  expect(unknown.error).toContain("admin, clerk");

  onlyAdmin = "";
  await exploreAs("ada", "admin");
  expect((await routeTo("/users", { role: "admin" })).metadata.by_address).toBe(true);
  expect(await offers(["Orders"], { role: "clerk" })).toEqual([true]);
  expect(await offers(["Audit"], {})).toEqual([false]);
  onlyAdmin = ADMIN_LINKS;
});

test("a page that redirects the accounts of one role stays on the map with its links for the other role", async () => {
  const [map, from] = ["reports", "/reports"];
  await exploreAs("ada", "admin", map);
  await exploreAs("bob", "clerk", map);
  expect((await routeTo("/archive", { role: "admin", map, from })).actions).toHaveLength(1);
  expect((await routeTo("/archive", { role: "clerk", map, from })).metadata.by_address).toBe(true);
  const other = "reports-of-clerk-first";
  await exploreAs("bob", "clerk", other);
  await exploreAs("ada", "admin", other);
  expect((await routeTo("/archive", { role: "admin", map: other, from })).actions).toHaveLength(1);
});

test("a map explored first without a role, and then as a clerk, knows which screens the clerk does not see", async () => {
  const map = "unnamed-first";
  await exploreAs("ada", undefined, map);
  await exploreAs("bob", "clerk", map);
  expect(await offers(["Users", "Orders"], { map })).toEqual([true, true]);
  expect(await offers(["Users", "Orders"], { map, role: "clerk" })).toEqual([false, true]);
  expect((await routeTo("/users", { map, role: "clerk" })).metadata.by_address).toBe(true);
});
