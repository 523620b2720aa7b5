/** Tests that actions do not wait for the long polls of a page, in a real Chromium. */
import { expect } from "bun:test";
import { KnownPolls } from "../../../../actors/browser/index.ts";
import { html, type Route } from "../../../sites/test-site-with-given-routes.ts";
import { testInOwnSession, testInOwnSessionIfFull } from "./concurrent-tests-in-own-sessions.ts";
import { type SessionStage, sessionStage } from "./session-in-shared-test-browser.ts";

/** A server that answers polls after some time, and counts the polls that it has answered. */
class PollServer {
  readonly after: number;
  answered = 0;
  asked = 0;

  /** @param after milliseconds from a poll (a request for news) to its answer */
  constructor(after: number) {
    this.after = after;
  }

  readonly route: Route = async () => {
    this.asked++;
    await Bun.sleep(this.after);
    this.answered++;
    return new Response("no news");
  };

  /** Makes the test site answer polls at the paths that the pages below use. */
  serve(stage: SessionStage): void {
    for (const path of ["/poll", "/socket.io/", "/poll/ma7et6aiexy8ani", "/poll/q2wxy81bfoz0pk"])
      stage.site.routes.set(path, this.route);
  }
}

/**
 * Scripts of pages that poll. Each defines the function `send`, which sends a poll with the number `n`. The key
 * states how this number is sent.
 */
const POLLS: Readonly<Record<string, string>> = {
  "with a counter": `const send = (n, signal) => fetch("/poll?since=" + n, { signal })`,
  "with time stamps of letters, as those of Engine.IO": `const send = (n, signal) =>
    fetch("/socket.io/?transport=polling&t=" + ["PdAbXyZ", "PdAbXzQ"][n], { signal })`,
  "with an id in its path": `const send = (n, signal) =>
    fetch("/poll/" + ["ma7et6aiexy8ani", "q2wxy81bfoz0pk"][n], { signal })`,
  "by POST": `const send = (n, signal) =>
    fetch("/poll", { signal, method: "POST", body: JSON.stringify({ operationName: "News", variables: { since: n } }) })`,
};

const POLL = `let polls = 0, last; const poll = () => { last?.abort(); last = new AbortController();
  send(polls++, last.signal).catch(() => {}) }`;

for (const [kind, send] of Object.entries(POLLS))
  testInOwnSession(
    `a click that shows another view does not wait for the long poll of the page, which the view starts again, ${kind}`,
    async (stage) => {
      const server = new PollServer(7_000);
      server.serve(stage);
      await stage.show(`<script>${send}; ${POLL}; poll()</script><p id="out"></p>
        <button onclick="location.hash = 'orders'; poll(); out.textContent = 'All orders'">Orders</button>`);
      const { data } = await stage.act("click", { name: "Orders" });
      expect(data).toMatchObject({ page: { said: ["All orders"] } });
      expect(data).not.toHaveProperty("pending");
      expect(server).toMatchObject({ asked: 2, answered: 0 });
    },
  );

testInOwnSession(
  "an action does not wait for a long poll that was cancelled on an earlier page",
  async (stage) => {
    const server = new PollServer(8_000);
    server.serve(stage);
    const { site } = stage;
    site.routes.set("/first", html("First", `<button>Rest</button><script>fetch("/poll?n=1")</script>`));
    site.routes.set(
      "/next",
      html("Next", `<button onclick="fetch('/poll?n=2'); this.textContent = 'On'">Follow</button>`),
    );
    await stage.act("navigate", { url: site.url("/first") });
    await stage.act("navigate", { url: site.url("/next") });
    expect((await stage.act("click", { name: "Follow" })).data).toMatchObject({ effect: "changed" });
    expect(server).toMatchObject({ asked: 2, answered: 0 });
  },
);

/** A page with a button that starts a poll. No earlier page has sent this poll. */
const FOLLOW = `<button onclick="fetch('/poll?since=' + Date.now()); this.textContent = 'On'">Follow</button>`;

testInOwnSession(
  "a session does not wait for the polls that another session on the site has found",
  async (stage) => {
    const server = new PollServer(9_000);
    server.serve(stage);
    const url = stage.site.url("/follow");
    stage.site.routes.set("/follow", html("Chat", FOLLOW));
    const given = { polls: new KnownPolls(), responsesWithin: 3_000 };
    for (const session of [1, 2]) {
      const own = await sessionStage({ given });
      try {
        await own.act("navigate", { url });
        const { data } = await own.act("click", { name: "Follow" });
        expect(data).toMatchObject({ effect: "changed" });
        expect("pending" in data).toBe(session === 1);
      } finally {
        await own.close();
      }
    }
  },
);

testInOwnSessionIfFull(
  "an action does not wait for a request that the page repeats by itself and that takes long each time",
  async (stage) => {
    const answers = new PollServer(5_500);
    const late = new PollServer(7_000);
    const { site } = stage;
    site.routes.set("/news", (request) => {
      const isLate = new URL(request.url).searchParams.get("since") === "99";
      const route = (isLate ? late : answers).route;
      return typeof route === "function" ? route(request) : route;
    });
    await stage.show(`<p id="out"></p><script>
      const repeat = async () => { for (let n = 0; n < 2; n++) await fetch("/news?since=" + n); out.textContent = "Paused" };
      setTimeout(repeat, 1_500)</script>
      <button onclick="fetch('/news?since=99'); this.textContent = 'On'">Follow</button>`);
    while ((await stage.run("out.textContent")) !== "Paused") await Bun.sleep(100);
    expect((await stage.act("click", { name: "Follow" })).data).toMatchObject({ effect: "changed" });
    expect([late.asked, late.answered]).toEqual([1, 0]);
  },
);

testInOwnSessionIfFull(
  "only the first action that starts a long poll by POST waits for it",
  async (stage) => {
    const server = new PollServer(19_000);
    server.serve(stage);
    const body = `<button onclick="fetch('/poll', { method: 'POST', body: '{&quot;since&quot;: ' + Date.now() % 1000 + '}' });
        this.textContent = 'On'">Follow</button>`;
    for (let visit = 0; visit < 2; visit++) {
      stage.site.routes.set(`/visit-${visit}`, html("Chat", body));
      await stage.act("navigate", { url: stage.site.url(`/visit-${visit}`) });
      expect((await stage.act("click", { name: "Follow" })).data).toMatchObject({ effect: "changed" });
    }
    expect(server).toMatchObject({ asked: 2, answered: 0 });
  },
);
