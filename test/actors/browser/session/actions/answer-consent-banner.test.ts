/** Tests that consent banners are answered, in a real Chromium. */
import { describe, expect, test } from "bun:test";
import { html, serveSite } from "../../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";

const stage = await stageOfTests();

const banner = (text: string, labels: readonly string[]) =>
  `<div id="x" style="position:fixed;bottom:0;left:0;right:0;background:white"><p>${text}</p>${labels
    .map((label) => `<button onclick="did.push(this.textContent); x.remove()">${label}</button>`)
    .join("")}</div><main><h1>Shop</h1><button onclick="did.push('shop')">Accept offer</button></main>`;
const did = () => stage.run("did.join()");

describe("a consent banner", () => {
  test.each([
    [
      "We use cookies to make this better.",
      ["Settings", "Reject all", "Accept all"],
      "Accept all",
      "Reject all",
    ],
    [
      "Diese Seite verwendet Cookies.",
      ["Nur notwendige", "Einstellungen", "Alle akzeptieren"],
      "Alle akzeptieren",
      "Nur notwendige",
    ],
    [
      "Nous utilisons des cookies.",
      ["Continuer sans accepter", "Paramétrer", "Tout accepter"],
      "Tout accepter",
      "Continuer sans accepter",
    ],
    [
      "Usamos cookies propias y de terceros.",
      ["Configurar", "Rechazar todas", "Aceptar todas"],
      "Aceptar todas",
      "Rechazar todas",
    ],
    ["Używamy plików cookie.", ["Odrzuć", "Akceptuję"], "Akceptuję", "Odrzuć"],
    ["当サイトはクッキーを使用します。よろしいですか。", ["拒否する", "同意する"], "同意する", "拒否する"],
    ["Мы используем файлы cookie.", ["Отклонить", "Принять все"], "Принять все", "Отклонить"],
  ])(
    "in the form of %s is accepted or rejected as the caller requests",
    async (text, labels, accept, reject) => {
      await stage.show(banner(text, labels));
      expect((await stage.act("accept_cookies")).data).toMatchObject({
        found: true,
        clicked: accept,
        gone: true,
      });
      await stage.show(banner(text, labels));
      expect((await stage.act("accept_cookies", { choice: "reject" })).data).toMatchObject({
        clicked: reject,
      });
      expect(await did()).toBe(reject);
    },
  );

  test("is found in a shadow root and in a frame of another site", async () => {
    await stage.show(`<div id="host" style="position:fixed;bottom:0"></div><script>
      host.attachShadow({ mode: "open" }).innerHTML = "<div>We value your privacy and use cookies.<button>I agree</button></div>";
      host.shadowRoot.querySelector("button").onclick = () => { did.push("agreed"); host.remove() }</script>`);
    expect((await stage.act("accept_cookies")).data).toMatchObject({ clicked: "I agree" });
    expect(await did()).toBe("agreed");
    const other = serveSite(
      {
        "/cmp": html(
          "CMP",
          `<p>We and our partners store cookies on your device.</p><button onclick="parent.postMessage('ok', '*')">Accept</button>`,
        ),
      },
      { hostname: "127.0.0.2" },
    );
    await stage.show(`<iframe id="f" src="${other.url("/cmp")}" style="position:fixed;inset:auto 0 0 0"></iframe>
      <script>onmessage = () => { did.push("framed"); f.remove() }</script>`);
    expect((await stage.act("accept_cookies")).data).toMatchObject({ clicked: "Accept", gone: true });
    expect(await did()).toBe("framed");
    other.stop();
  });

  test.if(isFull)(
    "is waited for if it appears late, and stays open if it lacks the requested button",
    async () => {
      await stage.show(`<p>Shop</p><script>setTimeout(() => { document.body.insertAdjacentHTML("beforeend",
      '<div id="x" role="dialog">This site uses cookies.<button onclick="x.remove()">OK</button></div>') }, 600)</script>`);
      const refused = await stage.act("accept_cookies", { choice: "reject" });
      expect(refused.data).toMatchObject({ code: "not_applied", options: ["OK"] });
      expect(await stage.run("x.isConnected")).toBe(true);
      expect((await stage.act("accept_cookies")).data).toMatchObject({ clicked: "OK" });
    },
  );

  test.if(isFull)(
    "is reported if it stays open after the answer",
    async () => {
      await stage.show(
        `<div class="cookie-banner">We use cookies on this site.<button>Accept</button></div>`,
      );
      expect((await stage.act("accept_cookies")).data).toMatchObject({
        code: "not_applied",
        clicked: "Accept",
      });
    },
    30_000,
  );
});

test.if(isFull)(
  "on a page that only mentions cookies, no consent banner is found and nothing is clicked",
  async () => {
    await stage.show(`<h1>Cookie recipes</h1><p>We love cookies.</p><button onclick="did.push('order')">Accept order</button>
    <footer><a href="#c">Cookie policy</a></footer>`);
    expect((await stage.act("accept_cookies")).data).toEqual({ found: false, effect: "nothing_changed" });
    expect(await did()).toBe("");
  },
);
