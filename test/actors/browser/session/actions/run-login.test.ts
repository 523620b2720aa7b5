/** Tests login recipes on common kinds of forms, in a real Chromium. */
import { afterEach, describe, expect, test } from "bun:test";
import {
  totpCode,
  totpKeyOf,
} from "../../../../../actors/browser/session/actions/time-based-one-time-code.ts";
import { Refused } from "../../../../../machines/errors.ts";
import type { ActionOutcome } from "../../../../../machines/session/actions/action-outcome.ts";
import { loginSchema } from "../../../../../machines/session/state/login-recipe.ts";
import { isBoundTo } from "../../../../../machines/session/state/secret-host-match.ts";
import { html } from "../../../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../../../support/site-for-one-test-file.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";

const PASSWORD = "s3cret & more";
const KEY = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

/** Time limits for logins. They are much shorter than the real limits, because some tests wait until one has passed. */
const DEADLINES = {
  fieldWithin: 2_000,
  nextWithin: 500,
  successWithin: 5_000,
  refusedFor: 500,
  scriptReadyWithin: 5_000,
  within: 20_000,
};

/** Time limit in milliseconds for a login whose success is never proven. */
const UNPROVEN = { successWithin: 1_500 };

let typed: string[] = [];
/** Each requested secret: its name, and the host for which it was requested. */
let asked: [string, string][] = [];

const form = (action: string, more = ""): string =>
  `<form method="post" action="${action}"><label>User <input name="user"></label>
   <label>Password <input name="pass" type="password"></label>${more}<button>Sign in</button></form>`;

const evil = siteOfTests({ "/": html("Evil", form("/")) }, { hostname: "127.0.0.2" });
const stage = await stageOfTests();

afterEach(() => {
  typed = [];
  asked = [];
});

/**
 * A route that checks a submitted form as a server does. A right password redirects to a page. A wrong
 * password redirects back to the form, with a message.
 */
const checking =
  (right: Readonly<Record<string, string>>, next: string, again: string) => async (request: Request) => {
    const given = new URLSearchParams(await request.text());
    typed.push(given.toString());
    const isRight = Object.entries(right).every(([name, value]) => given.get(name) === value);
    return isRight
      ? new Response(null, { status: 303, headers: { location: next } })
      : html("Login", `<p role="alert">Wrong password ${given.get("pass")}</p>${again}`);
  };

async function login(
  recipe: Readonly<Record<string, unknown>>,
  deadlines: Partial<typeof DEADLINES> = {},
): Promise<ActionOutcome> {
  const parsed = loginSchema.parse(recipe);
  const own = [new URL(parsed.url).host];
  const secrets = {
    known: async (name: string) => name === "KEY",
    reveal: async (name: string, url: string) => {
      asked.push([name, new URL(url).origin]);
      if (!isBoundTo(own, url)) throw new Refused("secret.other_host", `${name} does not belong there.`);
      return name === "KEY" ? KEY : PASSWORD;
    },
  };
  return await stage.session.login(parsed, secrets, async () => {}, { ...DEADLINES, ...deadlines });
}

const fields = [
  { label: "User", value: "ann" },
  { label: "Password", secret: "SHOP" },
];

describe("a login by a recipe (stored login steps)", () => {
  test.if(isFull)(
    "presses the button after the fields if a link of the header has the same name and the page has no form",
    async () => {
      const { routes } = stage.site;
      routes.set(
        "/formless-login",
        html(
          "Login",
          `<header><a href="#/login">Login</a></header>
         <label>User <input id="user"></label><label>Password <input id="pass" type="password"></label>
         <button type="button" onclick="if (pass.value) document.body.textContent = 'Hello ' + user.value">Login</button>`,
        ),
      );
      const { success } = await login({
        url: stage.site.url("/formless-login"),
        submit: "Login",
        success: { text: "Hello ann" },
        fields,
      });
      expect(success).toBe(true);
    },
  );

  test.if(isFull)(
    "waits for an application that loads slowly and only then redirects to the login form",
    async () => {
      const { routes } = stage.site;
      const slow = 1.5 * DEADLINES.fieldWithin;
      routes.set("/slow-start", async () => {
        await Bun.sleep(slow);
        return new Response("ready");
      });
      routes.set(
        "/slow-app",
        html("App", `<script>fetch("/slow-start").then(() => location.replace("/slow-login"))</script>`),
      );
      routes.set("/slow-login", html("Login", form("/slow-in")));
      routes.set("/slow-in", checking({ user: "ann", pass: PASSWORD }, "/slow-home", ""));
      routes.set("/slow-home", html("Home", "<p>Hello ann</p>"));
      const { success } = await login({
        url: stage.site.url("/slow-app"),
        success: { text: "Hello ann" },
        fields,
      });
      expect(success).toBe(true);
    },
  );

  test.if(isFull)("waits for an application that shows nothing for long, without any request", async () => {
    const { routes } = stage.site;
    const starting = (then: string): string =>
      `<div id="app"></div><script>setTimeout(() => { document.body.innerHTML = ${JSON.stringify(then)} },
        ${2 * DEADLINES.fieldWithin})</script>`;
    routes.set("/blank-app", html("App", starting(form("/blank-in"))));
    routes.set("/blank-in", checking({ user: "ann", pass: PASSWORD }, "/blank-home", ""));
    routes.set("/blank-home", html("Home", "<p>Hello ann</p>"));
    const { success } = await login({
      url: stage.site.url("/blank-app"),
      success: { text: "Hello ann" },
      fields,
    });
    expect(success).toBe(true);
  });

  test.if(isFull)(
    "waits for a field no longer than its time limit, although the page sends one long poll after another",
    async () => {
      const { routes } = stage.site;
      let polls = 0;
      routes.set("/next-event", async () => {
        polls++;
        await Bun.sleep(500);
        return new Response("nothing new");
      });
      const poll = `<script>(async function poll() { await (await fetch("/next-event")).text(); poll() })()</script>`;
      routes.set("/polling-login", html("Login", form("/polling-in") + poll));
      const { error } = await login({
        url: stage.site.url("/polling-login"),
        success: { text: "Hello ann" },
        fields: [{ label: "Customer number", value: "ann" }],
      });
      expect(error).toContain("Customer number");
      const pollsInTotalTime = DEADLINES.within / 500;
      expect(polls).toBeLessThan(pollsInTotalTime / 2);
    },
    60_000,
  );

  /**
   * The script of a page that starts a long computation 0.3 s after its load. During the 12 s of this computation,
   * the page does not answer.
   */
  const computing = (then: string): string =>
    `<script>setTimeout(() => { for (const end = performance.now() + 12_000; performance.now() < end; );
      document.body.innerHTML = ${JSON.stringify(then)} }, 300)</script>`;

  test.if(isFull)(
    "waits for a page that computes for long before it shows its form, and after it was sent",
    async () => {
      const { routes } = stage.site;
      routes.set("/computing", html("Login", computing(form("/computing-in"))));
      routes.set("/computing-in", checking({ user: "ann", pass: PASSWORD }, "/computing-home", ""));
      routes.set("/computing-home", html("Home", computing("<p>Hello ann</p>")));
      const { success } = await login(
        {
          url: stage.site.url("/computing"),
          success: { text: "Hello ann" },
          fields,
        },
        { successWithin: 20_000, within: 40_000 },
      );
      expect(success).toBe(true);
    },
    60_000,
  );

  test.if(isFull)(
    "submits a form by its real button, which is outside of the visible page, behind a drawn button",
    async () => {
      const { routes } = stage.site;
      const button =
        '<span role="button" tabindex="0" onclick="real.click()">Sign in</span>' +
        '<input id="real" type="submit" value="login" aria-hidden="true" tabindex="-1" style="position: absolute; top: -9999px">';
      routes.set(
        "/drawn-login",
        html("Login", form("/drawn-in").replace("<button>Sign in</button>", button)),
      );
      routes.set("/drawn-in", checking({ user: "ann", pass: PASSWORD }, "/drawn-home", ""));
      routes.set("/drawn-home", html("Home", "<p>Hello ann</p>"));
      const { success } = await login({
        url: stage.site.url("/drawn-login"),
        success: { text: "Hello ann" },
        fields,
      });
      expect(success).toBe(true);
    },
  );

  test.if(isFull)(
    "counts as successful if a closed menu contains the text that proves success, unless the login form is still shown",
    async () => {
      const { routes } = stage.site;
      const menu = `<details><summary>Account</summary><a href="/out">Log out</a></details>`;
      routes.set("/menu-login", html("Login", `${menu}${form("/menu-check")}`));
      routes.set(
        "/menu-check",
        checking({ user: "ann", pass: PASSWORD }, "/menu-in", menu + form("/menu-check")),
      );
      routes.set("/menu-in", html("Home", `<h1>Home</h1>${menu}`));
      const recipe = { url: stage.site.url("/menu-login"), fields, success: { text: "Log out" } };
      expect(await login(recipe)).toMatchObject({ success: true, data: { logged_in: true } });
      const [user] = fields;
      const wrong = { ...recipe, fields: [user, { label: "Password", value: "wrong" }] };
      expect(await login(wrong)).toMatchObject({ success: false, data: { code: "login_failed" } });
    },
  );

  test.if(isFull)(
    "reports only that the proof of success is missing if the login form has disappeared",
    async () => {
      stage.site.routes.set("/gone", html("Home", "<p>Your orders</p>"));
      stage.site.routes.set("/gone-login", html("Login", form("/gone")));
      const fields = [
        { label: "User", value: "ann" },
        { label: "Password", secret: "shop" },
      ];
      const recipe = { url: stage.site.url("/gone-login"), fields, success: { text: "Welcome" } };
      expect((await login(recipe, UNPROVEN)).error).toContain("although the form is gone");
    },
  );

  test.if(isFull)(
    "accepts a hidden control as proof of success only by its whole name and after the last field is filled",
    async () => {
      const { routes } = stage.site;
      const menu = (name: string) => `<details><summary>More</summary><a href="/join">${name}</a></details>`;
      const page = (more: string) => html("Login", `<h1>Shop</h1>${more}`);
      const user = `<form method="post" action="/two-next"><label>User <input name="user"></label><button>Next</button></form>`;
      const pass = `<form method="post" action="/two-check"><label>Password <input name="pass" type="password"></label><button>Next</button></form>`;
      const recipe = { url: stage.site.url("/two"), fields, success: { text: "Account" } };
      for (const name of isFull ? ["Create account", "Account"] : ["Account"]) {
        routes.set("/two", page(menu(name) + user));
        // The second page shows its password field only after 200 ms. Until then, the page has no field that
        // the login recipe fills.
        const late = `<script>setTimeout(() => { at.innerHTML = ${JSON.stringify(pass)} }, 200)</script>`;
        routes.set("/two-next", page(`${menu(name)}<div id="at"></div>${late}`));
        routes.set("/two-check", async (request) => {
          typed.push(await request.text());
          return page(menu("My account"));
        });
        expect(await login(recipe, UNPROVEN)).toMatchObject({
          success: false,
          data: { code: "login_failed" },
        });
        expect(typed).toHaveLength(1);
        routes.set("/two-check", page(menu(" account ")));
        expect(await login(recipe)).toMatchObject({ success: true, data: { logged_in: true } });
        typed = [];
      }
    },
    60_000,
  );

  test("fills fields by label and selector, submits, and verifies success, without the secret in any output", async () => {
    const { routes } = stage.site;
    routes.set("/login", html("Login", form("/check")));
    routes.set("/check", checking({ user: "ann", pass: PASSWORD }, "/home", form("/check")));
    routes.set(
      "/home",
      html("Home", `<h1>Welcome ann</h1><p>Your password is ${PASSWORD.replace("&", "&amp;")}</p>`),
    );
    const done = await login({
      url: stage.site.url("/login"),
      fields,
      submit: "Sign in",
      success: { text: "Welcome", url: "*/home", selector: "h1" },
    });
    expect(done).toMatchObject({ success: true, data: { logged_in: true, url: stage.site.url("/home") } });
    expect(asked).toEqual([["SHOP", stage.site.origin]]);
    const reported = JSON.stringify([
      done,
      await stage.session.content(),
      await stage.analyze({ include_text: true }),
    ]);
    expect(reported).toContain("Your password is ********");
    expect(reported).not.toContain("s3cret");
    // The login recipe may also describe the submit button by a selector or by its label in lower case, or
    // not at all.
    for (const submit of [{ selector: "form button" }, { label: "sign in" }, undefined]) {
      const url = stage.site.url("/login");
      const again = await login({ url, fields, ...(submit ? { submit } : {}), success: { url: "/home" } });
      expect(again).toMatchObject({ success: true, data: { logged_in: true } });
    }
  }, 60_000);

  test.if(isFull)(
    "signs in over several pages, and in a single page that changes by script",
    async () => {
      const { routes } = stage.site;
      routes.set(
        "/steps",
        html(
          "Login",
          `<div id="at"><input id="user" aria-label="User"><button onclick="next()">Next</button></div><script>
        let name; const done = () => { at.innerHTML = document.getElementById("pass").value === ${JSON.stringify(PASSWORD)} && name === "ann" ? "<h1>In</h1>" : "<p>No</p>" };
        function next() { name = user.value; setTimeout(() => { at.innerHTML = '<input id="pass" type="password" aria-label="Password"><button onclick="done()">Next</button>' }, 200) }</script>`,
        ),
      );
      const done = await login({
        url: stage.site.url("/steps"),
        fields,
        submit: "Next",
        success: { text: "In", selector: "h1" },
      });
      expect(done).toMatchObject({ success: true });
    },
    60_000,
  );

  test.if(isFull)(
    "fails with the message of the page if the second step of a sign-in in one document refuses the password",
    async () => {
      const { routes } = stage.site;
      routes.set("/refused-step", new Response("", { status: 401 }));
      routes.set(
        "/step-by-step",
        html(
          "Login",
          `<div id="at"><form><input aria-label="User"><button>Next</button></form></div><script>
        document.forms[0].onsubmit = (event) => { event.preventDefault(); at.innerHTML = '<form><input type="password" aria-label="Password"><button>Sign in</button><p id="said"></p></form>';
          document.forms[0].onsubmit = async (event) => { event.preventDefault(); await fetch("/refused-step", { method: "POST", body: "" });
            said.outerHTML = '<p role="alert">Incorrect password</p>' } }</script>`,
        ),
      );
      const { error, data } = await login({
        url: stage.site.url("/step-by-step"),
        fields,
        success: { text: "Welcome" },
      });
      expect(data).toMatchObject({ code: "login_failed", complaint: "Incorrect password" });
      expect(error).toContain("it is asked for again");
    },
    60_000,
  );

  test.if(isFull)(
    "fails with the HTTP status of the request by which a script has sent the fields, if the page shows no message",
    async () => {
      const { routes } = stage.site;
      routes.set("/credentials", new Response("", { status: 400 }));
      routes.set(
        "/formless",
        html(
          "Login",
          `<label>User <input id="user"></label><label>Password <input id="pass" type="password"></label>
        <button onclick="send()">Login</button><div id="said"></div><script>const send = async () => {
          await fetch("/credentials", { method: "POST", body: user.value + " " + pass.value });
          said.textContent = "Incorrect credentials" }</script>`,
        ),
      );
      const { error } = await login({
        url: stage.site.url("/formless"),
        fields,
        submit: "Login",
        success: { text: "Welcome" },
      });
      expect(error).toContain("the server refused it with the HTTP status 400");
    },
    60_000,
  );

  test.if(isFull)(
    "is not proven successful by a hidden control (Logout) that the page also contains for users who are not signed in",
    async () => {
      const { routes } = stage.site;
      let status = 403;
      routes.set("/in-one-document", () => new Response("", { status }));
      // As in OctoPrint, one document contains the form and the signed-in view. The form is also hidden when the
      // server refuses the password, so a hidden form does not prove a login.
      routes.set(
        "/one-document",
        html(
          "Start",
          `<header><a href="#" id="user" onclick="at.hidden = false">Login</a><a href="#" hidden>Logout</a></header>
        <div id="at" hidden>${form("/in")}</div><script>
        document.forms[0].onsubmit = async (event) => { event.preventDefault(); at.hidden = true;
          const answer = await fetch("/in-one-document", { method: "POST", body: "user=ann" });
          if (answer.ok) document.getElementById("user").textContent = "ann" }</script>`,
        ),
      );
      const recipe = { url: stage.site.url("/one-document"), fields, success: { text: "Logout" } };
      const refused = await login(recipe, UNPROVEN);
      expect(refused).toMatchObject({ success: false, data: { code: "login_failed" } });
      expect(refused.data).not.toHaveProperty("filled");
      expect(refused.error).toContain("the server answered the form with the HTTP status 403");
      status = 200;
      expect(await login(recipe)).toMatchObject({ success: true, data: { logged_in: true } });
    },
    60_000,
  );

  test.if(isFull)(
    "presses the control that opens the dialog with the form",
    async () => {
      const { routes } = stage.site;
      routes.set(
        "/dialog",
        html(
          "Start",
          `<header><button onclick="box.showModal()">Log in</button></header><dialog id="box">${form("/dialog-in")}</dialog>`,
        ),
      );
      routes.set("/dialog-in", checking({ user: "ann", pass: PASSWORD }, "/dialog-home", ""));
      routes.set("/dialog-home", html("Home", "<p>Hello ann</p>"));
      const { error } = await login({
        url: stage.site.url("/dialog"),
        fields,
        success: { text: "Hello ann" },
      });
      expect(error).toBeNull();
      expect(typed).toHaveLength(1);
    },
    60_000,
  );

  // The sign-in of Home Assistant shows its button before its fields have their labels.
  test.if(isFull)(
    "sends no empty form while the fields of a form with a password have no labels yet",
    async () => {
      const { routes } = stage.site;
      routes.set(
        "/late-labels",
        html(
          "Login",
          `<div><input id="first"> <input id="second" type="password"> <button type="button" id="send">Log in</button></div>
         <script>
           send.onclick = () => { location = "/late-labels-in?empty=" + (second.value === ""); };
           setTimeout(() => { first.ariaLabel = "User"; second.ariaLabel = "Password"; }, 1500);
         </script>`,
        ),
      );
      const opened: string[] = [];
      routes.set("/late-labels-in", (request: Request) => {
        opened.push(new URL(request.url).search);
        return html("Home", "<p>Hello ann</p>");
      });
      const { success } = await login({
        url: stage.site.url("/late-labels"),
        submit: "Log in",
        success: { text: "Hello ann" },
        fields,
      });
      expect(success).toBe(true);
      expect(opened).toEqual(["?empty=false"]);
    },
  );

  test.if(isFull)(
    "declines a consent banner that covers the form",
    async () => {
      const { routes } = stage.site;
      const banner = `<div id="consent" role="dialog" aria-modal="true" style="position: fixed; inset: 0; background: #fffc">
      <h2>We value your privacy</h2><p>This site uses cookies for statistics.</p>
      <button onclick="answer('accepted')">Accept all</button><button onclick="answer('rejected')">Reject all</button></div>
      <script>const answer = (what) => { document.cookie = "consent=" + what; consent.remove() }</script>`;
      routes.set("/covered", html("Login", form("/covered-in") + banner));
      routes.set("/covered-in", (request) =>
        html("Home", `<p>Hello ann, ${request.headers.get("cookie")}</p>`),
      );
      const { success, error } = await login({
        url: stage.site.url("/covered"),
        fields,
        success: { text: "Hello ann, consent=rejected" },
      });
      expect(error).toBeNull();
      expect(success).toBe(true);
    },
    60_000,
  );

  test("enters a time-based code if the site asks for one", async () => {
    const { routes } = stage.site;
    const codes = async () => {
      const key = totpKeyOf(KEY);
      return await Promise.all([totpCode(key, Date.now()), totpCode(key, Date.now() - 30_000)]);
    };
    routes.set("/login", html("Login", form("/check")));
    routes.set("/check", checking({ pass: PASSWORD }, "/code", ""));
    routes.set(
      "/code",
      html(
        "Code",
        `<form method="post" action="/done"><label>Code <input autocomplete="one-time-code" name="otp"></label><button>Go</button></form>`,
      ),
    );
    routes.set("/done", async (request) => {
      const given = new URLSearchParams(await request.text()).get("otp") ?? "";
      return html("Done", (await codes()).includes(given) ? "<h1>Inside</h1>" : `<h1>Wrong ${given}</h1>`);
    });
    for (const totp_secret of ["KEY", KEY.replace(/(.{4})/g, "$1 ").trim()]) {
      const done = await login({
        url: stage.site.url("/login"),
        fields,
        submit: "Sign in",
        totp_secret,
        success: { text: "Inside" },
      });
      expect(done).toMatchObject({ success: true });
    }
    routes.set("/one", html("Login", form("/check-one", `<label>Token <input name="token"></label>`)));
    routes.set("/check-one", async (request) => {
      const given = new URLSearchParams(await request.text());
      return html(
        "Done",
        (await codes()).includes(given.get("token") ?? "") ? "<h1>Inside</h1>" : "<h1>No</h1>",
      );
    });
    const token = { selector: "input[name=token]", totp: true };
    const done = await login({
      url: stage.site.url("/one"),
      fields: [...fields, token],
      totp_secret: "KEY",
      success: { text: "Inside" },
    });
    expect(done).toMatchObject({ success: true });
  }, 60_000);

  test("is not repeated while the session is still signed in", async () => {
    const { routes } = stage.site;
    routes.set("/login", new Response(null, { status: 302, headers: { location: "/home" } }));
    routes.set("/home", html("Home", "<h1>Welcome ann</h1>"));
    const done = await login({ url: stage.site.url("/login"), fields, success: { text: "Welcome" } });
    expect(done).toMatchObject({ success: true, data: { already: true } });
    expect(asked).toEqual([]);
  }, 60_000);

  test.if(isFull)(
    "is not repeated if the page of the login offers a signed-in user to continue or to sign out",
    async () => {
      const { routes } = stage.site;
      // The sign-in pages that Directus and Moodle show to a user who is signed in already, and a page that
      // requests the code of a second factor.
      routes.set("/signed-in", html("Sign In", "<p>Ann</p><a>Sign Out</a><button>Continue</button>"));
      routes.set(
        "/signed-in-as",
        html("Confirm", "<p>You are already logged in</p><button>Log out</button>"),
      );
      routes.set(
        "/second-factor",
        html("Code", `<input name="code"><button>OK</button><button>Log out</button>`),
      );
      for (const [path, success] of [
        ["/signed-in", true],
        ["/signed-in-as", true],
        ["/second-factor", false],
      ]) {
        const recipe = { url: stage.site.url(String(path)), fields, success: { text: "Dashboard" } };
        expect(await login(recipe)).toMatchObject({ success });
      }
      expect(asked).toEqual([]);
    },
    60_000,
  );

  test.if(isFull)(
    "is not repeated if the closed menu of a signed-in user's page contains the proof of success",
    async () => {
      const { routes } = stage.site;
      const menu = `<details><summary>ann</summary><a href="/out">Log out</a></details>`;
      // Two ways in which a site treats a signed-in user who opens the login page. Review Board redirects to
      // another page, and Request Tracker shows its start page at the same address.
      routes.set("/login-away", new Response(null, { status: 302, headers: { location: "/reviews" } }));
      routes.set("/reviews", html("Reviews", `${menu}<h1>Reviews</h1>`));
      routes.set("/start", html("Start", `${menu}<h1>Tickets</h1>`));
      for (const path of ["/login-away", "/start"]) {
        const done = await login({ url: stage.site.url(path), fields, success: { text: "Log out" } });
        expect(done).toMatchObject({ success: true, data: { already: true } });
      }
      const recipe = { url: stage.site.url("/start"), fields, success: { text: "Out" } };
      const notProven = await login(recipe, UNPROVEN);
      expect(notProven).toMatchObject({ success: false, data: { code: "login_failed" } });
      expect(asked).toEqual([]);
    },
    60_000,
  );
});

/**
 * An application with client-side routes, like NocoDB: it stores a token, and then shows a dialog for new users over its
 * start page. Signed in, it polls by POST. Each poll has another body, and is answered after a second.
 */
const APPLICATION = html(
  "Bases",
  `<div id="app"></div><script>
    const poll = async (n) => { await fetch("/news", { method: "POST", body: JSON.stringify({ since: n }) }); poll(n + 1) };
    const show = () => {
      if (!localStorage.token) { location.hash = "/signin"; app.innerHTML = ${JSON.stringify(form("/none"))}; }
      else { location.hash = "/nc"; app.innerHTML = '<button>Create New</button><div role="dialog" aria-modal="true" ' +
        'style="position: fixed; inset: 0; background: white"><h2>Tell us about you</h2><button>Skip</button></div>'; poll(0) } };
    addEventListener("submit", async (event) => { event.preventDefault();
      const answer = await fetch("/signin", { method: "POST", body: new URLSearchParams(new FormData(event.target)) });
      if (answer.ok) { localStorage.token = "in"; show() } });
    show()</script>`,
);

describe.if(isFull)("a login of an application that then shows a dialog and polls by POST", () => {
  test.each([{ text: "Create New" }, { url: "/app" }])(
    "succeeds, also when it is repeated while the user is signed in, with the sign of success %j",
    async (success) => {
      const { routes, url } = stage.site;
      routes.set("/app", APPLICATION);
      routes.set("/signin", new Response("{}"));
      routes.set("/news", async () => {
        await Bun.sleep(1_000);
        return new Response("{}");
      });
      await stage.session.open(url("/app"));
      await stage.run("localStorage.clear()");
      const recipe = { url: url("/app#/signin"), fields, success };
      for (let attempt = 0; attempt < 2; attempt++)
        expect(await login(recipe)).toMatchObject({ success: true, data: { logged_in: true } });
      await stage.run("localStorage.clear()");
    },
    60_000,
  );
});

/** Returns the fields of a sign-in, with the right password or a wrong one. */
const fieldsOf = (isRight: boolean) =>
  isRight ? fields : [fields[0], { label: "Password", value: "wrong" }];

describe("a sign of success that is shown even before the login", () => {
  const header = "<header>Shop of ann</header>";
  const success = { text: "Shop of ann" };

  test.if(isFull)(
    "proves nothing if the page refuses the login by a message, but proves the login if the form disappears",
    async () => {
      const { routes, url } = stage.site;
      const script = `<script>document.forms[0].onsubmit = async (event) => {
      event.preventDefault();
      const answer = await fetch("/sign/check", { method: "POST", body: new URLSearchParams(new FormData(event.target)) });
      if (answer.ok) event.target.outerHTML = "<h1>Orders</h1>";
      else message.textContent = "Authentication failed.";
    }</script>`;
      routes.set(
        "/sign",
        html("Login", `${header}${form("/none")}<p class="error" id="message"></p>${script}`),
      );
      routes.set("/sign/check", async (request) => {
        const isRight = new URLSearchParams(await request.text()).get("pass") === PASSWORD;
        return new Response("", { status: isRight ? 200 : 401 });
      });
      for (const sign of [success, { url: "/sign" }, { selector: "header" }]) {
        const recipe = { url: url("/sign"), success: sign };
        const refused = await login({ ...recipe, fields: fieldsOf(false) });
        expect(refused).toMatchObject({ success: false, data: { complaint: "Authentication failed." } });
        expect(await login({ ...recipe, fields: fieldsOf(true) })).toMatchObject({
          data: { logged_in: true },
        });
      }
    },
    60_000,
  );

  test.if(isFull)(
    "proves the login if the answer at the same address has no login form",
    async () => {
      const { routes, url } = stage.site;
      routes.set("/same", async (request) => {
        const isRight = new URLSearchParams(await request.text()).get("pass") === PASSWORD;
        return html("Shop", `${header}${isRight ? "<h1>Orders</h1>" : form("/same")}`);
      });
      const recipe = { url: url("/same"), success: { ...success, url: "/same" } };
      const refused = await login({ ...recipe, fields: fieldsOf(false) });
      expect(refused).toMatchObject({ success: false, data: { code: "login_failed" } });
      expect(await login({ ...recipe, fields: fieldsOf(true) })).toMatchObject({ data: { logged_in: true } });
    },
    60_000,
  );

  test.if(isFull)(
    "does not end a login of two pages before the second page is filled in, and proves nothing if the first page is shown again",
    async () => {
      const { routes, url } = stage.site;
      const step = (action: string, field: string) =>
        `<form method="post" action="${action}"><label>${field}</label><button>Next</button></form>`;
      const first = step("/later/next", 'User <input name="user">');
      const second = step("/later/check", 'Password <input name="pass" type="password">');
      routes.set("/later/next", () => html("Login", header + second));
      routes.set("/later/check", checking({ pass: PASSWORD }, "/later/in", header + first));
      routes.set("/later/in", html("Shop", `${header}<h1>Orders</h1>`));
      for (const before of [header, ""]) {
        routes.set("/later", html("Login", before + first));
        typed = [];
        const recipe = { url: url("/later"), success };
        const refused = await login({ ...recipe, fields: fieldsOf(false) });
        expect(refused).toMatchObject({ success: false, data: { code: "login_failed" } });
        expect(await login({ ...recipe, fields: fieldsOf(true) })).toMatchObject({
          data: { logged_in: true },
        });
        expect(typed).toEqual(["pass=wrong", "pass=s3cret+%26+more"]);
      }
    },
    60_000,
  );
});

describe("a login whose next page has neither the login form nor the sign of success", () => {
  test.each([
    [403, '<a href="/public-login">Log in</a>'],
    [401, '<p role="alert">Wrong password</p>'],
  ])("is reported as refused if the answer has the status %i and shows %s", async (status, shown) => {
    const page = `<!doctype html><title>Files</title><h1>Public files</h1>${shown}`;
    const answer = () => new Response(page, { status, headers: { "content-type": "text/html" } });
    stage.site.routes.set("/public-login", html("Login", form("/public")));
    stage.site.routes.set("/public", answer);
    const recipe = { url: stage.site.url("/public-login"), fields, success: { text: "Sign out" } };
    expect((await login(recipe)).error).toContain(`the site refused it with the HTTP status ${status}`);
  });

  test("is reported as unproven, with advice what to check, if the answer has no error status", async () => {
    stage.site.routes.set("/public-login", html("Login", form("/public")));
    stage.site.routes.set("/public", html("Files", '<h1>Files</h1><a href="/public-login">Log in</a>'));
    const recipe = { url: stage.site.url("/public-login"), fields, success: { text: "Sign out" } };
    expect((await login(recipe, UNPROVEN)).error).toContain("check that `success` of the recipe");
  });
});

describe("a failed login by a recipe (stored login steps)", () => {
  test("is reported with the page's message and without the secret", async () => {
    const { routes } = stage.site;
    routes.set("/login", html("Login", form("/check")));
    routes.set("/check", checking({ pass: "other" }, "/home", form("/check")));
    const failed = await login({
      url: stage.site.url("/login"),
      fields,
      submit: "Sign in",
      success: { text: "Welcome" },
    });
    expect(failed).toMatchObject({
      success: false,
      data: { code: "login_failed", complaint: "Wrong password ********" },
    });
    expect(failed.error).toContain("it is asked for again");
    expect(typed).toHaveLength(1);
    expect(JSON.stringify(failed)).not.toContain("s3cret");
    routes.set("/none", html("Login", "<p>Nothing here</p>"));
    const none = await login({ url: stage.site.url("/none"), fields, success: { text: "Welcome" } });
    expect(none).toMatchObject({ success: false, data: { code: "login_failed", field: 'the field "User"' } });
  }, 90_000);

  test("does not type the secret on another host, neither after a redirect nor in a frame of another site", async () => {
    const { routes } = stage.site;
    routes.set("/login", new Response(null, { status: 302, headers: { location: evil.url("/") } }));
    const moved = await login({ url: stage.site.url("/login"), fields, success: { text: "Welcome" } });
    expect(moved).toMatchObject({ success: false, data: { code: "secret_refused" } });
    routes.set("/framed", html("Login", `<iframe src="${evil.url("/")}" width="400" height="300"></iframe>`));
    const framed = await login({ url: stage.site.url("/framed"), fields, success: { text: "Welcome" } });
    expect(framed).toMatchObject({ success: false, data: { code: "secret_refused" } });
    expect(asked.map(([, origin]) => origin)).toEqual([evil.origin, evil.origin]);
    expect(evil.log.every(({ method }) => method === "GET")).toBe(true);
  }, 60_000);
});
