/** Tests pages that need a browser, each rendered by a real Chromium. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { browserLimits } from "../../../../actors/browser/browser-limits.ts";
import type { JobRenderer, RenderedDocument } from "../../../../actors/browser/index.ts";
import { readPage } from "../../../../actors/reading/index.ts";
import { html, serveSite } from "../../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../../support/site-for-one-test-file.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { documentOf, linksOf, testBrowser } from "../test-browser.ts";

const { browser, folder } = await testBrowser();
let job: JobRenderer;
/** How often the slow script and the slow call were requested. */
let [slowScripts, slowCalls] = [0, 0];
/**
 * For each opened page of the test: a function that sends an event to the page, whose script then runs an
 * endless loop.
 */
const hang: (() => void)[] = [];
/**
 * A WebSocket server that answers only the message `orders`, with a delay. At the time of the answer, all
 * HTTP requests of the page have ended. So only a browser that watches the WebSocket waits for it.
 */
const sockets = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request, server) => (server.upgrade(request) ? undefined : new Response("no socket")),
  websocket: {
    message(socket, question) {
      if (question === "orders") setTimeout(() => socket.send('<a href="/from-socket">x</a>'), 400);
    },
  },
});
const signal = new AbortController().signal;
const render = async (path: string) => await job.render(site.url(path), { signal });
const shown = async (path: string): Promise<RenderedDocument> => documentOf(await render(path));

const script = (code: string) => `<script>${code}</script>`;
const attachment = () =>
  new Response("a,b", {
    headers: { "content-type": "text/csv", "content-disposition": 'attachment; filename="all.csv"' },
  });

const site = siteOfTests({
  "/app": html(
    "App",
    `<div id="root"></div>${script(`
        fetch("/api/menu").then((answer) => answer.json()).then((names) => {
          root.innerHTML = "<h1>Menu</h1>" + names.map((name) => '<a href="/' + name + '">' + name + "</a>").join("");
        })`)}`,
  ),
  "/api/menu": async () => {
    // This delay (400 ms) is longer than the time without activity after which a page counts as settled.
    await Bun.sleep(400);
    return Response.json(["orders", "invoices"]);
  },
  "/late": html("Late", script(`setTimeout(() => { document.body.innerHTML = '<a href="/x">x</a>'; }, 500)`)),
  "/says-so": html(
    "Says so",
    `<a href="/menu">menu</a><p id="p">Loading...</p>${script(`
        setTimeout(() => { p.outerHTML = '<a href="/x">x</a>'; }, 500)`)}`,
  ),
  "/pictures-it": html(
    "Pictures it",
    `<a href="/menu">menu</a><p id="p"><span role="img" aria-label="loading"><svg></svg></span></p>${script(`
        setTimeout(() => { p.outerHTML = '<a href="/x">x</a>'; }, 500)`)}`,
  ),
  "/socket": html(
    "Socket",
    `<a href="/menu">menu</a><div id="d"></div>${script(`
        const socket = new WebSocket("${sockets.url.href.replace("http", "ws")}");
        socket.onopen = () => socket.send("orders");
        socket.onmessage = ({ data }) => { d.innerHTML = data; socket.send("never answered"); };`)}`,
  ),
  "/routes": html(
    "Routes",
    script(`
        let times = 0;
        const show = () => {
          times += 1;
          document.body.innerHTML = '<a href="/is-' + location.hash.slice(2) + "-of-" + times + '">x</a>';
        };
        addEventListener("hashchange", show);
        show()`),
  ),
  "/app-with-slow-call": html(
    "App",
    `<div id="root"></div>${script(`
        fetch("/slow-call").then(() => { root.innerHTML = '<a href="/orders">Orders</a>'; })`)}`,
  ),
  "/slow-call": async () => {
    // The first request is answered only after the render has stopped waiting for it. Later requests are
    // answered earlier.
    await Bun.sleep([browserLimits.requestPatience + 500, 100][slowCalls++] ?? 2_000);
    return new Response("done");
  },
  "/app-with-slow-script": html(
    "App",
    `<div id="root"></div>${script(`
        document.head.append(Object.assign(document.createElement("script"), { src: "/slow-script.js" }))`)}`,
  ),
  "/slow-script.js": async () => {
    // For its first request, the script takes longer than a render waits for an answer. For later requests it
    // takes less.
    await Bun.sleep(slowScripts++ === 0 ? browserLimits.requestPatience + 500 : 2_000);
    return new Response(`root.innerHTML = '<a href="/orders">Orders</a>'`, {
      headers: { "content-type": "text/javascript", "cache-control": "no-store" },
    });
  },
  "/polling": html(
    "Polling",
    `<a href="/a">a</a>${script(`
        const poll = () => fetch("/poll?" + Date.now()).then(poll);
        poll();
        new EventSource("/news");
        fetch("/never");
        setInterval(() => { document.title = String(Date.now()); }, 10)`)}`,
  ),
  "/polling-by-scripts": html(
    "Polling",
    `<a href="/a">a</a>${script(`
        const poll = () => document.head.append(Object.assign(document.createElement("script"),
          { src: "/poll.js?callback=told&" + Date.now(), onload: poll }));
        poll()`)}`,
  ),
  "/poll.js": async () => {
    await Bun.sleep(300);
    return new Response("", {
      headers: { "content-type": "text/javascript", "cache-control": "no-store" },
    });
  },
  "/poll": async () => {
    await Bun.sleep(30);
    return new Response("none");
  },
  "/news": () =>
    new Response(new ReadableStream({ start: (stream) => stream.enqueue("data: 1\n\n") }), {
      headers: { "content-type": "text/event-stream" },
    }),
  "/keeps-open": html("Keeps open", `<p>x</p>${script(`fetch("/never")`)}`),
  "/never": () => new Promise(() => {}),
  "/dialogs": html(
    "Dialogs",
    script(
      `alert("Hello"); const sure = confirm("Sure?"); prompt("Name?"); document.write('<p>' + sure + '</p>')`,
    ),
  ),
  "/leaving": html("Leaving", `<p>x</p>${script(`onbeforeunload = (event) => { event.preventDefault(); }`)}`),
  "/file": attachment,
  "/to-file": html("Sends on to a download", `<p>x</p>${script(`location.href = "/file"`)}`),
  "/picture.png": new Response("x", { headers: { "content-type": "image/png" } }),
  "/feed.xml": new Response("<rss></rss>", { headers: { "content-type": "application/rss+xml" } }),
  "/plain": new Response("just text <b>", { headers: { "content-type": "text/plain" } }),
  "/empty": new Response(null, { status: 204 }),
  "/gone": new Response(html("Gone", `<p id="p"></p>${script(`p.textContent = "drawn"`)}`), {
    status: 404,
    headers: { "content-type": "text/html", "content-language": "de", "x-robots-tag": "noindex" },
  }),
  "/nothing": new Response(null, { status: 503 }),
  "/old": new Response(null, { status: 302, headers: { location: "/new" } }),
  "/new": html("New", "<p>here</p>"),
  "/sends-on": html("Sends on", script(`location.replace("/new")`)),
  "/router": html("Router", `<p>x</p>${script(`history.replaceState(null, "", "/login?next=1")`)}`),
  "/round": html("Round", script(`location.href = "/round?" + Math.random()`)),
  "/shadow": html(
    "Shadow",
    `<my-menu><b slot="s">light</b></my-menu>${script(`
        customElements.define("my-menu", class extends HTMLElement {
          connectedCallback() {
            this.attachShadow({ mode: "open" }).innerHTML = '<nav><slot name="s"></slot><a href="/in-shadow">x</a><my-item></my-item></nav>';
          }
        });
        customElements.define("my-item", class extends HTMLElement {
          connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = '<a href="/deep">y</a>'; }
        });`)}`,
  ),
  "/frames": html(
    "Frames",
    `<iframe src="/inner/page"></iframe><iframe srcdoc='<a href="from-srcdoc">s</a>'></iframe><iframe></iframe>`,
  ),
  "/inner/page": html("Inner", `<div id="d"></div>${script(`d.innerHTML = '<a href="sibling">i</a>'`)}`),
  "/opens": html("Opens", `<p>x</p>${script(`open("/popup", "_blank"); open("/popup2", "", "noopener")`)}`),
  "/popup": html("Popup", "<p>popup</p>"),
  "/popup2": html("Popup", "<p>popup</p>"),
  "/pictures": html(
    "Pictures",
    `<img src="/a.png"><img src="/b.JPG?size=2"><video src="/c.mp4"></video><link rel="stylesheet" href="/s.css"><p>x</p>`,
  ),
  "/s.css": new Response("p { color: red }", { headers: { "content-type": "text/css" } }),
  "/endless": html("Endless", `<p>x</p>${script("for (;;);")}`),
  "/hangs-later": html(
    "Hangs later",
    `<p>x</p>${script(`
        new EventSource("/hang").onmessage = () => { navigator.sendBeacon("/hanging"); for (;;); }`)}`,
  ),
  "/hang": () =>
    new Response(
      new ReadableStream({ start: (stream) => void hang.push(() => stream.enqueue("data: 1\n\n")) }),
      {
        headers: { "content-type": "text/event-stream" },
      },
    ),
  "/hanging": new Response(null, { status: 204 }),
  "/growing": html(
    "Growing",
    script(`setInterval(() => document.body.append(document.createElement("p")), 20)`),
  ),
  "/sets": html("Sets", script(`document.cookie = "who=first"; localStorage.who = "first"`)),
  "/tells": html(
    "Tells",
    `<p id="p"></p>${script(`p.textContent = document.cookie + "," + localStorage.who`)}`,
  ),
  "/tampers": html(
    "Tampers",
    `<div id="d"></div>${script(`
        MutationObserver = undefined; setTimeout = undefined; Promise = undefined; JSON = undefined;
        Object.defineProperty(document.documentElement, "outerHTML", { get: () => "nothing" });
        d.innerHTML = '<a href="/real">r</a>'`)}`,
  ),
  "/agent": html("Agent", `<p id="p"></p>${script("p.textContent = navigator.userAgent")}`),
});

beforeAll(() => {
  job = browser.openJob();
});

afterAll(async () => {
  await browser.close();
  await sockets.stop(true);
  await rm(folder, { recursive: true });
});

describe("a rendered page with scripts", () => {
  test.if(isFull)("contains links from a slow request", async () => {
    const page = await shown("/app");
    expect(linksOf(page.text)).toEqual(["/orders", "/invoices"]);
    expect(page).toMatchObject({ url: site.url("/app"), status: 200, mediaType: "text/html" });
    expect(page.facts).toMatchObject({ settled: "quiet", requests: 2, documents: 1 });
  });

  test("is waited for while it is empty", async () => {
    expect(linksOf((await shown("/late")).text)).toEqual(["/x"]);
  });

  test("is waited for while it shows a loading notice", async () => {
    expect(linksOf((await shown("/says-so")).text)).toEqual(["/menu", "/x"]);
  });

  test('is waited for while it shows a picture whose label (aria-label) is "loading"', async () => {
    expect(linksOf((await shown("/pictures-it")).text)).toEqual(["/menu", "/x"]);
  });

  test.if(isFull)("contains data that it requested over a WebSocket", async () => {
    const page = await shown("/socket");
    expect(linksOf(page.text)).toEqual(["/menu", "/from-socket"]);
    expect(page.facts.settled).toBe("quiet");
  });

  test.if(isFull)("settles although it polls, streams and keeps a request open", async () => {
    const page = await shown("/polling");
    expect(linksOf(page.text)).toEqual(["/a"]);
    expect(page.facts.settled).toBe("quiet");
    // The first page had a request that never ends. The time limit of the second page is too short to wait
    // for that request again, so the test fails if the render waits.
    const next = documentOf(await job.render(site.url("/keeps-open"), { signal, within: 3_000 }));
    expect(next.facts.settled).toBe("quiet");
  });

  test.if(isFull)(
    "settles although it polls by loading scripts of its own site again and again",
    async () => {
      const page = await shown("/polling-by-scripts");
      expect(linksOf(page.text)).toEqual(["/a"]);
      expect(page.facts.settled).toBe("quiet");
    },
  );

  // The next three tests wait for time limits, so they run at the same time.
  test.concurrent.if(isFull)(
    "is read after its site's slow script has run, although an earlier page did not wait for that script",
    async () => {
      await shown("/app-with-slow-script");
      expect(linksOf((await shown("/app-with-slow-script?second")).text)).toEqual(["/orders"]);
    },
  );

  test.concurrent.if(isFull)(
    "is read after its slow request has been answered, although an earlier page waited in vain for the same request",
    async () => {
      await shown("/app-with-slow-call");
      await shown("/app-with-slow-call?second");
      expect(linksOf((await shown("/app-with-slow-call?third")).text)).toEqual(["/orders"]);
    },
  );

  test.concurrent.if(isFull)("is read after a limited wait if it never stops growing", async () => {
    const page = documentOf(await job.render(site.url("/growing"), { signal, within: 2_000 }));
    expect(page.facts.settled).toBe("bounded");
    expect(page.text).toContain("<p></p><p></p>");
  });

  test("is read correctly even if it replaces built-in functions of the browser", async () => {
    expect(linksOf((await shown("/tampers")).text)).toEqual(["/real"]);
  });

  test("is requested with the user agent that explorations send", async () => {
    expect((await shown("/agent")).text).toContain(">Cairn/test<");
    expect(site.log.at(-1)?.headers.get("user-agent")).toBe("Cairn/test");
  });
});

describe("content outside of the main document tree", () => {
  test("includes open shadow roots, even nested ones, in the form of declarative shadow roots", async () => {
    const { text } = await shown("/shadow");
    expect(text).toStartWith(`<!DOCTYPE html><html lang="en"><head>`);
    expect(text).toEndWith("</html>");
    expect(text).toContain('<my-menu><template shadowrootmode="open"><nav>');
    expect(linksOf(text)).toEqual(["/in-shadow", "/deep"]);
  });

  test("includes the documents of frames, each with its base URL", async () => {
    const { frames } = await shown("/frames");
    expect(frames.map(({ url, text }) => [url, linksOf(text)])).toEqual([
      [site.url("/inner/page"), ["sibling"]],
      [site.url("/frames"), ["from-srcdoc"]],
    ]);
  });
});

describe("redirects by script", () => {
  test.each([
    ["/old", "/new", 1],
    ["/sends-on", "/new", 2],
    ["/router", "/login?next=1", 1],
  ])("are followed from the path %s to the path %s", async (path, found, documents) => {
    const page = await shown(path);
    expect(page.url).toBe(site.url(found));
    expect(page.facts.documents).toBe(documents);
  });

  test.if(isFull)(
    "do not include a change of the hash route: each hash route is loaded as a page of its own",
    async () => {
      for (const route of ["one", "two", "two", "three"])
        expect(linksOf((await shown(`/routes#/${route}`)).text)).toEqual([`/is-${route}-of-1`]);
    },
  );

  test.if(isFull)(
    "that lead from a page to itself endlessly are stopped, and the page is returned",
    async () => {
      expect((await render("/round")).kind).toBe("document");
    },
  );
});

describe("a URL that leads to no ordinary page", () => {
  test.each([
    ["/file", "download"],
    ["/to-file", "download"],
    ["/picture.png", "not_html"],
    ["/feed.xml", "not_html"],
    ["/empty", "no_content"],
  ])("is skipped at the path %s with the reason %s", async (path, reason) => {
    expect(await render(path)).toMatchObject({ kind: "skipped", reason });
  });

  test.each(["javascript:alert(1)", "file:///etc/passwd", "chrome://version", "data:text/html,x", "ws://x/"])(
    "is never opened: %s",
    async (url) => {
      expect(await job.render(url, { signal })).toMatchObject({ kind: "skipped", reason: "not_http" });
    },
  );

  test("with an error status returns the content that its scripts draw, and fails if they draw none", async () => {
    const page = await shown("/gone");
    expect(page).toMatchObject({ status: 404, language: "de" });
    expect(page.headers["x-robots-tag"]).toBe("noindex");
    expect(page.text).toContain(">drawn<");
    expect(await render("/nothing")).toMatchObject({
      kind: "failed",
      code: "reading.http_503",
      status: 503,
      retryable: true,
    });
  });

  test("returns its content as text if it is plain text", async () => {
    expect(await shown("/plain")).toMatchObject({
      mediaType: "text/plain",
      text: "just text <b>",
      bytes: 13,
    });
  });

  test("is refused if the page is larger than the limit", async () => {
    const outcome = await job.render(site.url("/app"), { signal, maxLength: 100 });
    expect(outcome).toMatchObject({ kind: "skipped", reason: "too_large" });
  });

  test("fails as retryable if the host cannot be reached", async () => {
    const closed = serveSite({});
    const url = closed.url("/");
    await closed.stop();
    expect(await job.render(url, { signal })).toMatchObject({
      kind: "failed",
      code: "reading.refused",
      retryable: true,
    });
    expect(await job.render("http://nowhere.invalid/", { signal })).toMatchObject({
      code: "reading.unknown_host",
    });
  });
});

describe("rendering a page", () => {
  test("dismisses the native dialogs of the page", async () => {
    expect((await shown("/dialogs")).text).toContain("<p>false</p>");
    expect((await shown("/leaving")).text).toContain("<p>x</p>");
    expect((await shown("/new")).text).toContain("<p>here</p>");
  });

  test("closes the windows that the page opens, and reports their addresses", async () => {
    const page = await shown("/opens");
    expect(page.opened).toEqual([site.url("/popup"), site.url("/popup2")]);
  });

  test("loads style sheets of the page, but no images and videos", async () => {
    await shown("/pictures");
    const parts = ["/a.png", "/b.JPG?size=2", "/c.mp4", "/s.css"];
    expect(parts.filter((path) => site.requests.includes(path))).toEqual(["/s.css"]);
  });

  test("fails for a page that blocks its thread, and does not affect other pages", async () => {
    const [stuck, page] = await Promise.all([
      job.render(site.url("/endless"), { signal, within: 1_500 }),
      shown("/new"),
    ]);
    expect(stuck).toMatchObject({ kind: "failed", code: "browser.stuck", retryable: true });
    expect(page.text).toContain("here");
  });

  test.if(isFull)("does not reuse a browser page that has stopped responding", async () => {
    const other = browser.openJob();
    documentOf(await other.render(site.url("/hangs-later"), { signal }));
    while (hang.length === 0) await Bun.sleep(10);
    for (const begin of hang) begin();
    while (!site.requests.includes("/hanging")) await Bun.sleep(10);
    expect(documentOf(await other.render(site.url("/new"), { signal })).text).toContain("here");
    await other.close();
  });

  test("is aborted with the reason of the caller's signal, and the next page is rendered", async () => {
    const controller = new AbortController();
    const rendering = job.render(site.url("/never"), { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("paused")), 50);
    await expect(rendering).rejects.toThrow("paused");
    expect((await shown("/new")).text).toContain("here");
  });
});

describe("the pages of several jobs", () => {
  test("share cookies and storage within each job, and not with other jobs", async () => {
    await shown("/sets");
    expect((await shown("/tells")).text).toContain(">who=first,first<");
    const other = browser.openJob();
    expect(documentOf(await other.render(site.url("/tells"), { signal })).text).toContain(">,undefined<");
    await other.close();
    expect(documentOf(await other.render(site.url("/tells"), { signal })).text).toContain(">,undefined<");
    await other.close();
  });

  test.if(isFull)("wait in one common queue when the limit of open pages is reached", async () => {
    const other = browser.openJob();
    const renders = Array.from({ length: 12 }, (_, i) =>
      (i % 2 ? job : other).render(site.url("/app"), { signal }),
    );
    for (const outcome of await Promise.all(renders)) {
      expect(linksOf(documentOf(outcome).text)).toHaveLength(2);
    }
    await other.close();
  });
});

describe("text that a style sheet hides", () => {
  const contentOf = async (path: string) => {
    const { text, url } = await shown(path);
    return readPage({ url, html: text }).content;
  };
  const STYLE =
    "<style>.off { display: none } .unseen { visibility: hidden } .unseen b { visibility: visible } .none * { display: none }</style>";

  test("is not in the content, but its links are followed", async () => {
    site.routes.set(
      "/styled",
      html(
        "Styled",
        `<main><p>Order 7</p><p class="off">This order was deleted <a href="/undo">Undo</a></p>
         <p class="unseen">Loading <b>Total 9</b></p><div id="late"></div></main>
         <script>late.attachShadow({ mode: "open" }).innerHTML = "<style>i { display: none }</style><i>Gone</i><u>Paid</u>"</script>`,
        STYLE,
      ),
    );
    const content = await contentOf("/styled");
    expect(content).toContain("Order 7");
    expect(content).toContain("Total 9");
    expect(content).toContain("Paid");
    expect(content).not.toMatch(/deleted|Gone/);
    expect(linksOf((await shown("/styled")).text)).toEqual(["/undo"]);
  });

  test("is in the content if the page has no other text", async () => {
    site.routes.set("/unstyled", html("Unstyled", `<main class="none"><p>Order 8</p></main>`, STYLE));
    expect(await contentOf("/unstyled")).toContain("Order 8");
  });
});

test("the rendered text of a page says which required fields have a value that a script has set", async () => {
  site.routes.set(
    "/filled",
    html(
      "Filled",
      `<form method="post"><input name="name" required><input name="retries" required></form>
       <script>document.getElementsByName("retries")[0].value = "3"</script>`,
    ),
  );
  const { text, url } = await shown("/filled");
  const { inputs } = readPage({ url, html: text }).controls;
  expect(inputs.map(({ constraints }) => constraints?.has_value)).toEqual([undefined, true]);
});
