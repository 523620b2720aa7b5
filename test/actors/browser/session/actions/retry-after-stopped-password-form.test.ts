/**
 * Tests forms with a password whose page adds its listener some time after the load, in a real Chromium. Without the
 * listener, the browser would put the password into the address.
 */
import { beforeEach, describe, expect, test } from "bun:test";
import type { ActionOutcome } from "../../../../../machines/session/actions/action-outcome.ts";
import { loginLimits } from "../../../../../machines/session/session-limits.ts";
import { loginSchema } from "../../../../../machines/session/state/login-recipe.ts";
import { html } from "../../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { called } from "../session-in-shared-test-browser.ts";

const PASSWORD = "harbor-pw-1";
const FORM = `<form><label>User <input name="user"></label>
  <label>Password <input name="password" type="password"></label><button>Sign in</button></form>`;

const stage = await stageOfTests();

/** The page calls `start` only when the server has answered. Until then, the form has no listener for `submit`. */
const LISTENER = `<script>
  let user = "", password = "";
  const start = ({ emptied }) => {
    const form = document.querySelector("form");
    if (emptied) form.reset();
    // As applications do that keep the texts in their own state: only what is typed from now on counts.
    form.elements.user.addEventListener("input", ({ target }) => (user = target.value));
    form.elements.password.addEventListener("input", ({ target }) => (password = target.value));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const answer = await fetch("/session", { method: "POST", body: user + ":" + password });
      document.body.innerHTML = answer.ok ? "<h1>Hello " + user + "</h1>" : "<p role=alert>Wrong password</p>";
    });
  };
  // Starts after the next attempt to send the form, so that it never starts while Cairn fills the fields.
  const startAfterAttempt = (how) =>
    addEventListener("submit", () => setTimeout(start, 0, how), { capture: true, once: true });
</script>`;

const pageReadyAfter = (delay: number, how: { readonly emptied: boolean }): string =>
  html(
    "Sign in",
    `${FORM}${LISTENER}<script>setTimeout(startAfterAttempt, ${delay}, ${JSON.stringify(how)})</script>`,
  );

beforeEach(() => {
  stage.site.routes.set("/session", async (request) => {
    const isRight = (await request.text()) === `ann:${PASSWORD}`;
    return new Response(null, { status: isRight ? 204 : 401 });
  });
});

const open = async (path: string, page: string): Promise<string> => {
  stage.site.routes.set(path, page);
  const url = stage.site.url(path);
  await stage.act("navigate", { url });
  return url;
};

const login = async (path: string, page: string, scriptReadyWithin: number): Promise<ActionOutcome> => {
  stage.site.routes.set(path, page);
  const recipe = loginSchema.parse({
    url: stage.site.url(path),
    fields: [
      { label: "User", value: "ann" },
      { label: "Password", secret: "SHOP" },
    ],
    success: { text: "Hello ann" },
  });
  const secrets = { known: async () => false, reveal: async () => PASSWORD };
  return await stage.session.login(recipe, secrets, async () => {}, { ...loginLimits, scriptReadyWithin });
};

/** No request and no address of the tab has ever contained the password. */
const assertNotInAddress = async (): Promise<void> => {
  expect(stage.site.log.filter(({ path }) => path.includes(PASSWORD))).toEqual([]);
  expect(JSON.stringify((await stage.session.save(false)).session.tabs)).not.toContain(PASSWORD);
};

describe("a sign-in on a page whose script is not ready", () => {
  test.if(isFull).each(isFull ? [{ emptied: false }, { emptied: true }] : [{ emptied: true }])(
    "waits until the script listens, and fills the fields again (%j)",
    async (how) => {
      const page = pageReadyAfter(2_000, how);
      const done = await login("/late", page, loginLimits.scriptReadyWithin);
      expect(done).toMatchObject({ success: true, data: { logged_in: true } });
      await assertNotInAddress();
    },
    60_000,
  );

  test.if(isFull)(
    "fills the fields again if the script has emptied them before the form is sent",
    async () => {
      const atPassword = `<script>
      const field = document.querySelector("[name=password]");
      field.addEventListener("focus", () => start({ emptied: true }), { once: true });
    </script>`;
      const done = await login("/emptied", html("Sign in", FORM + LISTENER + atPassword), 5_000);
      expect(done).toMatchObject({ success: true, data: { logged_in: true } });
    },
    60_000,
  );

  test.if(isFull)(
    "fails and names the reason if the script never listens",
    async () => {
      const failed = await login("/never", html("Sign in", FORM), 1_000);
      expect(failed).toMatchObject({
        success: false,
        data: { code: "login_failed", password_form: "not_sent", url: stage.site.url("/never") },
      });
      expect(failed.error).toContain("would have put the password into the address");
      await assertNotInAddress();
    },
    60_000,
  );
});

describe("a form without a submit button whose script listens to the Enter key", () => {
  const BY_KEY = `${FORM.replace("<button>Sign in</button>", "")}<button type="button">Sign in</button><script>
    document.forms[0].addEventListener("keyup", async ({ key }) => {
      const { user, password } = document.forms[0].elements;
      if (key !== "Enter") return;
      const answer = await fetch("/session", { method: "POST", body: user.value + ":" + password.value });
      if (answer.ok) document.body.innerHTML = "<h1>Hello ann</h1>";
    });
  </script>`;

  test.if(isFull)(
    "is sent by a login",
    async () => {
      const done = await login("/by-key", html("Sign in", BY_KEY), 2_000);
      expect(done).toMatchObject({ success: true, data: { logged_in: true } });
    },
    60_000,
  );

  test.if(isFull)(
    "is sent once by a login, although the page computes for seconds before it sends its request",
    async () => {
      let sent = 0;
      stage.site.routes.set("/session-once", async (request) => {
        sent++;
        const isRight = sent === 1 && (await request.text()) === `ann:${PASSWORD}`;
        await Bun.sleep(4_000);
        return new Response(null, { status: isRight ? 204 : 401 });
      });
      const busy = `addEventListener("keyup", ({ key }) => {
        if (key === "Enter") setTimeout(() => { for (const end = performance.now() + 3_000; performance.now() < end; ); });
      }, true);`;
      const page = BY_KEY.replace("/session", "/session-once")
        .replace("<script>", `<script>${busy}`)
        .replace("const answer", "await new Promise((done) => setTimeout(done, 10)); const answer");
      const done = await login("/by-key-busy", html("Sign in", page), loginLimits.scriptReadyWithin);
      expect(done).toMatchObject({ success: true, data: { logged_in: true } });
      expect(sent).toBe(1);
    },
    60_000,
  );

  test.if(isFull)(
    "is sent by `submit_form`",
    async () => {
      await open("/by-key", html("Sign in", BY_KEY));
      await stage.act("fill_form", { fields: [{ selector: "[name=user]", value: "ann" }] });
      const password = { selector: "[name=password]", value: PASSWORD };
      const sent = await stage.act("fill_form", { fields: [password], submit: true });
      expect(sent).toMatchObject({ success: true, data: { submitted: true } });
      expect(await stage.act("wait", { text: "Hello ann", seconds: 10 })).toMatchObject({ success: true });
    },
    60_000,
  );
});

describe("an action that sends a form with a password", () => {
  const fill = async () => {
    const fields = [
      { label: "User", value: "ann" },
      { label: "Password", value: PASSWORD },
    ];
    expect(await stage.act("fill_form", { fields })).toMatchObject({ success: true });
  };
  const indexOf = async (name: string): Promise<number> =>
    called(await stage.analyze(), name).highlight_index;

  test.each(isFull ? ["click", "submit_form", "send_keys"] : ["submit_form"])(
    "is repeated (%s) with the same texts as soon as the page's script listens to the form",
    async (name) => {
      await open(`/late-${name}`, html("Sign in", FORM + LISTENER));
      await stage.analyze();
      await fill();
      await stage.run("startAfterAttempt({ emptied: true })");
      const params = name === "send_keys" ? { keys: "Enter" } : { index: await indexOf("Sign in") };
      expect(await stage.act(name, params)).toMatchObject({ success: true });
      expect(await stage.act("wait", { text: "Hello ann", seconds: 10 })).toMatchObject({ success: true });
      await assertNotInAddress();
    },
    60_000,
  );

  test.if(isFull)(
    "fails with `not_applied` if the script never listens",
    async () => {
      await open("/never", html("Sign in", FORM));
      await stage.analyze();
      await fill();
      const failed = await stage.act("submit_form", { index: await indexOf("Sign in") });
      expect(failed).toMatchObject({
        success: false,
        data: { code: "not_applied", password_form: "not_sent" },
      });
      await assertNotInAddress();
    },
    60_000,
  );

  test.each([
    "document.forms[0].submit()",
    "location.href = '?key=' + document.forms[0].elements.password.value",
  ])(
    "never opens an address with the password, even if the script %s tries to",
    async (script) => {
      await open("/script", html("Sign in", `${FORM}<button onclick="${script}">Send</button>`));
      await stage.analyze();
      await fill();
      const failed = await stage.act("click", { index: await indexOf("Send") });
      expect(failed).toMatchObject({ success: false, data: { code: "not_applied" } });
      await assertNotInAddress();
    },
    60_000,
  );

  test.if(isFull)(
    "may lead to an address that contains the user name, even if the password equals the user name",
    async () => {
      const script = `<script>document.forms[0].onsubmit = (event) => {
      event.preventDefault();
      location.href = "/welcome?user=" + document.forms[0].elements.user.value;
    }</script>`;
      stage.site.routes.set("/welcome", () => html("Welcome", "<h1>Welcome</h1>"));
      await open("/same", html("Sign in", FORM + script));
      await stage.analyze();
      const fields = ["User", "Password"].map((label) => ({ label, value: "admin" }));
      await stage.act("fill_form", { fields });
      expect(await stage.act("click", { index: await indexOf("Sign in") })).toMatchObject({
        success: true,
        data: { effect: "navigated", url: stage.site.url("/welcome?user=admin") },
      });
    },
    60_000,
  );

  test("lets the browser send the form if its method is POST or its password field is empty", async () => {
    await open("/post", html("Sign in", FORM.replace("<form>", '<form method="post" action="/posted">')));
    stage.site.routes.set("/posted", async (request) => html("Posted", await request.text()));
    await stage.analyze();
    await fill();
    expect(await stage.act("click", { index: await indexOf("Sign in") })).toMatchObject({
      success: true,
      data: { effect: "navigated" },
    });
    await open("/empty", html("Filter", FORM));
    await stage.analyze();
    await stage.act("fill_form", { fields: [{ label: "User", value: "ann" }] });
    expect(await stage.act("click", { index: await indexOf("Sign in") })).toMatchObject({
      success: true,
      data: { effect: "navigated", url: stage.site.url("/empty?user=ann&password=") },
    });
  }, 60_000);
});

test("a password that a script of the page puts into the address is masked", async () => {
  await open("/pushed", html("Pushed", "<h1>Search</h1>"));
  await stage.run(`history.pushState(null, "", "?page=2&password=${PASSWORD}")`);
  const masked = stage.site.url("/pushed?page=2&password=********");
  expect((await stage.analyze()).url).toBe(masked);
  expect((await stage.session.content()).url).toBe(masked);
  await stage.run(`history.pushState(null, "", "?page=3")`);
  await assertNotInAddress();
}, 60_000);
