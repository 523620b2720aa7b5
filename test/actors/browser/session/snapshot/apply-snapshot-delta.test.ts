/**
 * Tests analyses of pages that change at random. The first analysis plus all later deltas must equal a new
 * complete analysis. `CAIRN_SEED` is the seed of the changes, and `CAIRN_RUNS` is the number of changes.
 */
import { expect, test } from "bun:test";
import type { ContextSession } from "../../../../../actors/browser/session/browser-session.ts";
import { TabSnapshots } from "../../../../../actors/browser/session/snapshot/tab-snapshots.ts";
import type { AnalysisData, PageAnalysis } from "../../../../../machines/session/page/page-snapshot.ts";
import { applyDelta } from "../../../../../machines/session/page/snapshot-delta.ts";
import { siteOfTests } from "../../../../support/site-for-one-test-file.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";

const RUNS = Number(process.env.CAIRN_RUNS ?? (isFull ? 200 : 8));
const SEED = Number(process.env.CAIRN_SEED ?? 1);
/**
 * Number of random changes between two checks. Each check compares the snapshot that was built from deltas
 * with a complete new snapshot of the page.
 */
const FULL_SNAPSHOT_EVERY = 4;

/**
 * Script of the page. `change(kind, random)` makes one random change in the page, in its shadow roots or in
 * its frames.
 */
const SCRIPT = `
  const tags = ["a", "button", "input", "select", "textarea", "li", "div", "span", "label", "section", "nav", "h2", "summary", "img", "slot", "p"];
  const words = ["Save", "Open", "Row", "Delete", "More", "Next", "Ada", "Order", "of", "the", "17", "Cancel"];
  const roots = [];
  const away = [];
  let made = 0, random;
  const below = (most) => Math.floor(random() * most);
  const pick = (items) => items[below(items.length)];
  const text = () => Array.from({ length: 1 + below(3) }, () => pick(words)).join(" ");
  const documents = () => [document, ...[...document.querySelectorAll("iframe")].flatMap((frame) => {
    try { return frame.contentDocument?.body ? [frame.contentDocument] : []; } catch { return []; }
  })];
  const trees = () => [...documents().map((one) => one.body), ...roots.filter((root) => root.host.isConnected)];
  const nodes = () => trees().flatMap((tree) => [...tree.querySelectorAll("*")]).filter(({ localName }) => !/^(script|style)$/.test(localName));
  const node = () => pick(nodes()) ?? document.body;
  function grown(depth = 0) {
    const element = document.createElement(pick(tags));
    made++;
    if (random() < 0.3) element.id = "id-" + (random() < 0.8 ? made : below(20));
    if (element.localName === "a" && random() < 0.8) element.href = "/to/" + below(50);
    if (element.localName === "img") { element.alt = text(); return element; }
    if (element.localName === "label" && random() < 0.5) element.htmlFor = "id-" + below(made);
    if (element.localName === "select") for (let at = 0; at < 3; at++) element.append(new Option(text()));
    else if (element.localName === "input") element.type = pick(["text", "checkbox", "radio", "submit", "password", "number", "hidden"]);
    else {
      if (random() < 0.7) element.append(text());
      if (depth < 3) for (let at = below(3); at > 0; at--) element.append(grown(depth + 1));
    }
    if (random() < 0.1) element.setAttribute("role", pick(["button", "textbox", "navigation", "row", "tab", "dialog", "none"]));
    return element;
  }
  const kinds = {
    insert: () => { const at = node(); at[pick(["before", "after", "append", "prepend"])](grown()); },
    remove: () => node().remove(),
    empty: () => { if (random() < 0.3) node().replaceChildren(); },
    text: () => { const at = node(); if (at.firstChild?.nodeType === 3) at.firstChild.data = text(); else at.append(text()); },
    attribute: () => node().setAttribute(pick(["id", "href", "role", "tabindex", "aria-label", "title", "data-id", "placeholder", "name",
      "disabled", "aria-disabled", "required", "aria-checked", "contenteditable", "onclick", "type", "value", "aria-labelledby", "for", "slot", "class"]),
      pick([text(), "id-" + below(made + 1), "0", "-1", "true", "button", "text", "checkbox", ""])),
    no_attribute: () => { const at = node(); const { name } = pick([...at.attributes]) ?? {}; if (name && name !== "srcdoc" && name !== "src") at.removeAttribute(name); },
    visibility: () => { node().style[pick(["display", "visibility", "opacity", "contentVisibility"])] = pick(["none", "hidden", "0", "", "block", "visible", "contents", "auto"]); },
    shows: () => { for (const at of nodes()) if (at.style.display || at.style.visibility || at.style.contentVisibility) { at.style.display = at.style.visibility = at.style.contentVisibility = ""; } },
    hidden: () => { const at = node(); at.hidden = !at.hidden; },
    inert: () => { const at = node(); if (random() < 0.3) at.inert = !at.inert; },
    shift: () => { node().style[pick(["paddingTop", "paddingLeft", "marginTop"])] = below(40) / 4 + "px"; },
    pointer: () => { node().style.cursor = pick(["pointer", "", "default"]); },
    rule: () => { const sheet = pick(documents()).styleSheets[0]; if (!sheet) return;
      sheet.insertRule(pick(["p", "span", "button", "li", ".a", "h2 + *", "div > :first-child"]) + pick([" { cursor: pointer }", " { display: none }",
        " { visibility: hidden }", " { margin: 3px }", " { position: fixed; inset: 0; background: #fff }", " { opacity: 0 }"]), sheet.cssRules.length); },
    no_rule: () => { for (const one of documents()) { const sheet = one.styleSheets[0]; if (sheet?.cssRules.length > 1) sheet.deleteRule(sheet.cssRules.length - 1); } },
    reorder: () => { const { parentNode: parent } = node(); if (parent?.firstChild) parent.append(parent.firstChild); },
    move: () => { const at = node(), to = node(); if (!at.contains(to) && !at.querySelector("iframe") && at.localName !== "iframe") to.append(at); },
    leave: () => { const at = node(); if (at !== document.body && at.localName !== "iframe" && !at.querySelector("iframe")) { at.remove(); away.push(at); } },
    comeBack: () => { const at = away.shift(); if (!at) return; const inner = pick([at, ...at.querySelectorAll("*")]);
      inner.setAttribute(pick(["aria-label", "title", "role", "id"]), pick([text(), "button", "id-" + below(made + 1)])); at.append(text()); at.append(grown(), grown()); node().append(at); },
    value: () => { const at = pick(nodes().filter((one) => "value" in one && /^(input|select|textarea)$/.test(one.localName))); if (!at) return;
      if (at.type === "checkbox" || at.type === "radio") at.checked = !at.checked; else if (at.options) at.selectedIndex = below(3); else at.value = text(); },
    scroll: () => { scrollTo(0, below(600)); const at = pick(nodes().filter((one) => one.scrollHeight > one.clientHeight + 5)); if (at) at.scrollTop = below(100); },
    listener: () => node().addEventListener(pick(["click", "mousedown", "keydown"]), () => {}),
    root: () => { const host = document.createElement(pick(["div", "x-host"])); node().append(host);
      const root = host.attachShadow({ mode: pick(["open", "closed"]) }); roots.push(root);
      root.append(grown(), document.createElement("slot")); host.append(grown()); },
    frame: () => { if (documents().length > 4) { if (random() < 0.5) pick([...document.querySelectorAll("iframe")])?.remove(); return; }
      const frame = document.createElement("iframe"); frame.srcdoc = "<style></style><button>" + text() + "</button><p>" + text() + "</p>"; document.body.append(frame);
      return new Promise((resolve) => { frame.onload = resolve; setTimeout(resolve, 1000); }); },
    title: () => { document.title = text(); },
    address: () => { history.replaceState({}, "", "?" + below(9)); },
    modal: () => { const open = document.querySelector("dialog:modal"); if (open) { open.close(); return; }
      const dialog = document.createElement("dialog"); document.body.append(dialog); dialog.append(grown()); dialog.showModal(); },
    // A popover that is a modal dialog as well, or is being removed, cannot be toggled: then nothing changes.
    popover: () => { const at = node(); if (at.popover === "manual") { try { at.togglePopover(); } catch {} } else if (random() < 0.5) at.popover = "manual"; },
    details: () => { const at = document.createElement("details"); at.innerHTML = "<summary>" + text() + "</summary>"; at.append(grown()); at.open = random() < 0.5; node().append(at); },
    toggle: () => { const at = pick(nodes().filter(({ localName }) => localName === "details")); if (at) at.open = !at.open; },
    fieldset: () => { const at = document.createElement("fieldset"); at.disabled = random() < 0.5; at.append(grown(), grown()); node().append(at); },
  };
  async function change(seed) {
    let state = (seed * 48271) % 2147483647 || 1;
    random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    for (let at = 0; at < 5; at++) random();
    const done = [];
    for (let count = 1 + below(3); count > 0; count--) {
      const kind = pick(Object.keys(kinds));
      done.push(kind);
      try { await kinds[kind](); } catch (error) { done.push(String(error)); }
    }
    // Pages on which next to nothing is left to be seen show little.
    if (nodes().filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("[inert]")).length < 60) {
      kinds.shows();
      for (const one of documents()) { one.body.removeAttribute("style"); one.documentElement.removeAttribute("style"); }
      for (const one of nodes()) { one.inert = false; one.hidden = false; }
      for (let at = 0; at < 9; at++) kinds.no_rule();
      document.querySelector("dialog:modal")?.close();
      for (let at = 0; at < 10; at++) document.body.append(grown());
    }
    while (nodes().length > 400) node().remove();
    return done.join(", ");
  }
  random = Math.random;
`;

const BODY = `<style></style><h1>Changing</h1>
  <header><nav><a href="/a">A</a><a href="/b">B</a></nav></header>
  <main><ul>${"<li>Row <button>Delete</button></li>".repeat(4)}</ul>
  <form id="form" name="form"><label>Name <input name="name"></label><input type="password" value="secret">
  <select><option>One<option>Two<option>Three</select><textarea>Text</textarea><button>Save</button></form>
  <div style="height: 60px; overflow: auto"><div style="height: 200px"><button>Inner</button></div></div></main>
  <div style="height: 1200px">Tall</div>`;

const other = siteOfTests(
  { "/": `<!doctype html><body><button>Elsewhere</button><input aria-label="There"></body>` },
  { hostname: "127.0.0.2" },
);

const stage = await stageOfTests({ flags: ["--site-per-process"] });

test(
  `after ${RUNS} random changes of a page (seed ${SEED}), the first analysis plus all deltas equals a new analysis`,
  async () => {
    await stage.show(`${BODY}<iframe src="${other.url("/")}"></iframe><script>${SCRIPT}</script>`);
    // The cast is safe: every session that the browser of this test opens is an instance of this class.
    const { tab } = stage.session as ContextSession;
    let built = await stage.analyze();
    let deltas = 0;
    let elements = 0;
    for (let run = 0; run < RUNS; run++) {
      const what = await stage.run(`change(${SEED * 1_000_003 + run})`);
      const description = `change ${run}: ${what}`;
      // After every third change, the page is analysed once more. The next delta then starts from an earlier
      // revision, and covers more than one change.
      if (run % 3 === 2) await stage.analyze();
      // A frame in another process may send its content late, so that the two snapshots differ. They are then
      // compared again after the next delta.
      for (let tries = 0; ; tries++) {
        const answer = await stage.analyze({ since_revision: built.revision });
        if (answer.delta) deltas++;
        built = applyDelta(built, answer);
        const whole = await stage.analyze();
        const known = tab.snapshots.ofRevision(built.revision);
        const fullSnapshot =
          run % FULL_SNAPSHOT_EVERY === 0 ? await new TabSnapshots(tab.frames).take() : undefined;
        if (tries < 20 && (await stage.analyze()).revision !== built.revision) continue;
        same(built, whole, description);
        if (known && fullSnapshot) same(unnumbered(known), unnumbered(fullSnapshot), description);
        elements += built.totalElements;
        break;
      }
    }
    expect(deltas).toBeGreaterThanOrEqual(RUNS);
    expect(elements / RUNS).toBeGreaterThan(10);
  },
  RUNS * 1_500,
);

function same(one: unknown, other: unknown, description: string): void {
  // Only the differing part is printed on failure, because the texts are long.
  if (JSON.stringify(one) === JSON.stringify(other)) return;
  expect({ description, ...(one as AnalysisData) }).toEqual({ description, ...(other as AnalysisData) });
  throw new Error(`${description}: the order of fields differs`);
}

/**
 * Removes the fields that depend on when a reader first saw the page: revision, element indices and `new`.
 */
function unnumbered({ revision: _, elements, ...rest }: PageAnalysis): unknown {
  return { ...rest, elements: elements.map(({ highlight_index: _, new: __, ...element }) => element) };
}
