/** Tests that a session waits after a navigation until the new document shows something and has settled. */
import { describe, expect, test } from "bun:test";
import { waitUntilReady } from "../../../../../actors/browser/session/snapshot/wait-until-page-ready.ts";
import type { Tab } from "../../../../../actors/browser/session/tabs/browser-tab.ts";
import { type Frame, Frames } from "../../../../../actors/browser/session/tabs/tab-frames.ts";
import { html } from "../../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { called, names } from "../session-in-shared-test-browser.ts";

const later = (text: string, ms: number) => async () => {
  await Bun.sleep(ms);
  return new Response(text);
};

const stage = await stageOfTests({
  routes: {
    "/slow": later("Orders", 1_000),
    "/slower": later("Orders", 60_000),
    "/first": later("second", 300),
    "/second": later("Orders", 300),
    "/poll": later("nothing", 10),
  },
});

/** A page with a button whose text is loaded from the given path. */
const BUTTON =
  "(text) => { document.getElementById('root').replaceChildren(Object.assign(document.createElement('button'), { textContent: text })); }";
const loads = (path: string) => `fetch("${path}").then((answer) => answer.text()).then(${BUTTON});`;
const onLoad = (script: string, body = "") =>
  `${body}<div id="root"></div><script>onload = () => { ${script} }</script>`;

let pages = 0;
/** Navigates to a page by an action, and returns the action's outcome. */
const open = async (body: string, ready_within?: number) => {
  const path = `/ready-${++pages}`;
  stage.site.routes.set(path, html("Page", body));
  return await stage.act("navigate", {
    url: stage.site.url(path),
    ...(ready_within === undefined ? {} : { ready_within }),
  });
};
const shownAtOnce = async () => names(await stage.analyze());

describe("a navigation to an address waits until the page's application", () => {
  test.if(isFull)("has drawn content that a script loads after the load event", async () => {
    expect((await open(onLoad(loads("/slow")))).data).not.toHaveProperty("loading");
    expect(await shownAtOnce()).toEqual(["Orders"]);
  });

  test.if(isFull)("has made several requests with pauses between them", async () => {
    await open(
      onLoad(
        `fetch("/first").then((answer) => answer.text()).then((path) => setTimeout(() => { ${loads("/second")} }, 400));`,
      ),
    );
    expect(await shownAtOnce()).toEqual(["Orders"]);
  });

  test.if(isFull)("has replaced its loading notice", async () => {
    await open(
      onLoad(
        loads("/slow").replace(
          "then(",
          "then((x) => { document.querySelector('p').remove(); return x }).then(",
        ),
        "<p>Loading…</p>",
      ),
    );
    expect(await shownAtOnce()).toEqual(["Orders"]);
  });

  const loadingMarks = [
    [
      "an alert with a picture, by its label",
      `<div role="alert" aria-label="Loading"><img alt="" src="x.gif"></div>`,
    ],
    [
      "an icon, by its label",
      `<span role="img" aria-label="loading"><svg width="20" height="20"></svg></span>`,
    ],
    ["a picture, by its alternative text", `<img alt="Loading..." width="20" height="20" src="x.gif">`],
  ] as const;

  test.each(loadingMarks.slice(0, isFull ? undefined : 1))(
    "has replaced %s, although it makes no request for a moment",
    async (_, mark) => {
      await open(
        onLoad(
          `fetch("/first").then((answer) => answer.text()).then((path) => setTimeout(() => {
           ${loads("/second").replace("then(", "then((x) => { document.getElementById('mark').remove(); return x }).then(")}
         }, 600));`,
          `<div id="mark">${mark}</div>`,
        ),
      );
      expect(await shownAtOnce()).toEqual(["Orders"]);
    },
  );

  test.if(isFull)("has filled a page that showed only the menu at first", async () => {
    await open(onLoad(loads("/slow"), `<nav><a href="/a">Menu</a></nav>`));
    expect(await shownAtOnce()).toEqual(["Menu", "Orders"]);
  });

  test("has loaded the content of an address that its own script set", async () => {
    await open(
      `<a href="/orders" id="to">To orders</a><div id="root"></div><script>
       document.getElementById("to").onclick = (event) => { event.preventDefault(); history.pushState(0, "", "/orders"); ${loads("/slow")} }
       </script>`,
    );
    const { highlight_index: index } = called(await stage.analyze(), "To orders");
    const { data } = await stage.act("click", { index });
    expect(data).toMatchObject({ effect: "address_changed" });
    expect(JSON.stringify(data.page)).toContain("Orders");
  });
});

describe("a navigation to another client-side route waits until the page's application", () => {
  /** Opens a document with a menu, and then its route `#/orders`, which runs the script. */
  const openRoute = async (script: string) => {
    await open(`<nav><a href="/a">Menu</a></nav><div id="root"></div><script>
      onhashchange = () => { ${script} };
      </script>`);
    return await stage.act("navigate", { url: stage.site.url(`/ready-${pages}#/orders`) });
  };

  test.if(isFull)("has loaded the content of the route", async () => {
    await openRoute(loads("/slow"));
    expect(await shownAtOnce()).toEqual(["Menu", "Orders"]);
  });

  test.if(isFull)(
    "has requested the content of the route, even if it sends the request a moment later",
    async () => {
      await openRoute(`setTimeout(() => { ${loads("/slow")} }, 60)`);
      expect(await shownAtOnce()).toEqual(["Menu", "Orders"]);
    },
  );
});

describe("a navigation to another client-side route", () => {
  const openRoutes = async (onChange: string, ...routes: readonly string[]) => {
    await open(`<nav><a href="/a">Menu</a></nav><button id="item"></button><output></output><script>
      const show = () => { document.getElementById("item").textContent = location.hash; };
      show(); ${onChange};
      sessionStorage.loads = Number(sessionStorage.loads ?? 0) + 1;
      document.querySelector("output").textContent = "Loads: " + sessionStorage.loads;
      </script>`);
    const before = Number(
      /Loads: (\d+)/.exec((await stage.analyze({ include_text: true })).text_content ?? "")?.[1],
    );
    for (const route of routes)
      await stage.act("navigate", { url: stage.site.url(`/ready-${pages}${route}`) });
    const data = await stage.analyze({ include_text: true });
    const loads = Number(/Loads: (\d+)/.exec(data.text_content ?? "")?.[1]) - before;
    return { shown: names(data), loads };
  };

  test.if(isFull)(
    "loads the document again if the application continues to show the item of the old route",
    async () => {
      expect((await openRoutes("", "#/users/1", "#/users/2")).shown).toEqual(["Menu", "#/users/2"]);
    },
  );

  test.if(isFull)(
    "waits until the application shows content, if the document had to be loaded again",
    async () => {
      await open(`<script>
      const draw = () => { document.body.innerHTML = "<button>" + location.hash + "</button>"; };
      if (location.hash !== "#/users/2") draw(); else setTimeout(draw, 2_500);
      </script>`);
      for (const route of ["#/users/1", "#/users/2"])
        await stage.act("navigate", { url: stage.site.url(`/ready-${pages}${route}`) });
      expect(await shownAtOnce()).toEqual(["#/users/2"]);
    },
  );

  test.if(isFull)(
    "does not send a form a second time, although the answer to the form ignores the route",
    async () => {
      const sent: string[] = [];
      stage.site.routes.set("/order", (request) => {
        sent.push(request.method);
        return html("Order", `<form method="post"><button>Order</button></form>`);
      });
      await stage.act("navigate", { url: stage.site.url("/order") });
      const { highlight_index: index } = called(await stage.analyze(), "Order");
      await stage.act("click", { index });
      await stage.act("navigate", { url: stage.site.url("/order#/orders/2") });
      expect(sent).toEqual(["GET", "POST"]);
    },
  );

  test.if(isFull)(
    "does not load the document again if the application shows the item of the new route",
    async () => {
      expect(await openRoutes("onhashchange = show", "#/users/1", "#/users/2")).toEqual({
        shown: ["Menu", "#/users/2"],
        loads: 0,
      });
    },
  );
});

describe("a navigation stops waiting even if", () => {
  test("a request takes longer than this wait, and the answer names the request", async () => {
    const { data } = await open(onLoad(`fetch("/slower?secret=1")`, "<p>Loading…</p>"), 0.5);
    expect(data).toMatchObject({ loading: true, pending: [stage.site.url("/slower")] });
  });

  test("the page polls, animates and keeps a stream open", async () => {
    const { data } = await open(
      `<button>Save</button><i></i><script>
       const poll = () => fetch("/poll?at=" + Math.random()).then(poll); poll();
       new EventSource("/slower");
       setInterval(() => { document.querySelector("i").append("x"); document.body.append(document.createElement("b")) }, 5);
       </script>`,
    );
    expect(data).toMatchObject({ effect: "navigated" });
    expect(JSON.stringify(data.pending ?? [])).not.toContain("poll");
  });
});

/**
 * Returns a stand-in for a tab, with only the members that the wait uses. It counts how often the page was examined.
 */
function tabWith(
  shown: {
    readonly controls: boolean;
    readonly text: boolean;
    readonly scripted: boolean;
    readonly loading?: boolean;
  },
  pending: readonly string[],
) {
  let surveys = 0;
  const main = { id: "main", loaderId: "one", session: { id: "page" } };
  const parts = {
    url: "https://a.test/",
    targetId: "main",
    loading: false,
    dialog: undefined,
    frames: {
      main,
      all: () => [main],
      call: async () => {
        surveys++;
        return { loading: false, size: 9, ...shown };
      },
    },
    snapshots: { peek: async () => ({ elements: [], document: Frames.documentKey(main as Frame) }) },
    requests: { pending: () => pending, lastActivity: () => 0 },
    answer: (answer: Promise<unknown>) => answer,
  };
  // The cast is safe: `waitUntilReady` uses no other members of the tab.
  return { tab: parts as unknown as Tab, surveys: () => surveys };
}

describe("the wait for a ready page examines the document only once", () => {
  test.each([
    [
      "a document with a control and without pending requests",
      { controls: true, text: true, scripted: true },
    ],
    ["a document with text only and without scripts", { controls: false, text: true, scripted: false }],
    ["an empty document without scripts", { controls: false, text: false, scripted: false }],
  ])("for %s", async (_, shown) => {
    const { tab, surveys } = tabWith(shown, []);
    expect(await waitUntilReady(tab, 10_000)).toEqual({});
    expect(surveys()).toBe(1);
    await waitUntilReady(tab, 10_000);
    expect(surveys()).toBe(1);
  });

  test("if its time limit is zero, and the answer names the pending requests", async () => {
    const { tab, surveys } = tabWith({ controls: true, text: true, scripted: true }, ["https://a.test/x"]);
    expect(await waitUntilReady(tab, 0)).toEqual({
      loading: { loading: true, pending: ["https://a.test/x"] },
    });
    expect(surveys()).toBe(1);
  });
});

test.if(isFull)(
  "a page that shows only a loading mark is reported as loading, even if no request is pending",
  async () => {
    const loading = { controls: false, text: true, scripted: true, loading: true };
    const { tab } = tabWith(loading, []);
    expect(await waitUntilReady(tab, 10_000)).toEqual({ loading: { loading: true, pending: [] } });
    const withControl = tabWith({ ...loading, controls: true }, []);
    expect(await waitUntilReady(withControl.tab, 10_000)).toEqual({});
  },
);
