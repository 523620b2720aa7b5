/**
 * A test application whose pages show and hide parts, with the markup of several component libraries:
 * Bootstrap's collapse and drop-down, native `<details>`, a tree of the ARIA practices, Angular Material's
 * expansion panel, and a side bar without any attribute. It also has a dialog, tabs and an editor with a closing
 * button.
 */
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";

const script = `
const flip = (id) => { const one = document.getElementById(id); one.hidden = !one.hidden; return !one.hidden; };
for (const one of document.querySelectorAll("[data-bs-toggle=collapse],[data-bs-toggle=dropdown]"))
  one.addEventListener("click", () => one.setAttribute("aria-expanded", String(flip(one.dataset.bsTarget.slice(1)))));
for (const one of document.querySelectorAll("[role=treeitem]"))
  one.addEventListener("click", (event) => { event.stopPropagation(); if (one.dataset.group) one.setAttribute("aria-expanded", String(flip(one.dataset.group))); });
for (const one of document.querySelectorAll("mat-expansion-panel-header"))
  one.addEventListener("click", () => one.setAttribute("aria-expanded", String(flip(one.getAttribute("aria-controls")))));
for (const one of document.querySelectorAll("[data-flips]")) one.addEventListener("click", () => flip(one.dataset.flips));
for (const one of document.querySelectorAll("[data-fills]")) one.addEventListener("click", () => {
  const part = document.getElementById(one.dataset.fills);
  part.replaceChildren(...(part.firstChild ? [] : [document.getElementById(part.id + "-content").content.cloneNode(true)]));
});
document.addEventListener("click", ({ target }) => {
  if (target.dataset.shows) document.getElementById(target.dataset.shows).hidden = false;
  if (target.dataset.hides) document.getElementById(target.dataset.hides).hidden = true;
});
`;

const page = (title: string, body: string) =>
  html(
    title,
    `<style>#layer { position: fixed; inset: 0; background: #fff } [hidden] { display: none !important }</style>
     <header><nav><a href="/">Home</a> <a href="/tree">Files</a> <a href="/panels">Preferences</a></nav></header>
     <main><h1>${title}</h1>${body}</main><script>${script}</script>`,
  );

export function disclosedPartsSite(): ScriptedSite {
  return serveSite({
    "/": page(
      "Home",
      `<h2><button type="button" class="accordion-button" data-bs-toggle="collapse" data-bs-target="#network" aria-expanded="false">Network</button></h2>
       <div id="network" class="accordion-collapse" hidden><input aria-label="Host"><input aria-label="Port"><a href="/proxy">Proxy servers</a></div>
       <h2><button type="button" class="accordion-button" data-bs-toggle="collapse" data-bs-target="#display" aria-expanded="false">Display</button></h2>
       <div id="display" class="accordion-collapse" hidden><input aria-label="Language"><input aria-label="Zoom"><a href="/themes">Colour themes</a></div>
       <button type="button" data-bs-toggle="dropdown" data-bs-target="#more" aria-expanded="false">More</button>
       <ul id="more" class="dropdown-menu" hidden><li><a href="/imports">Import wizard</a></li><li><a href="/exports">Export wizard</a></li><li><a href="/keys">Keyboard keys</a></li></ul>`,
    ),
    "/tree": page(
      "Files",
      `<ul role="tree"><li role="treeitem" aria-expanded="false" data-group="fruit" tabindex="0">Fruit<ul role="group" id="fruit" hidden><li role="treeitem" tabindex="-1">Apples</li><li role="treeitem" tabindex="-1">Pears</li></ul></li></ul>
       <details><summary>Past files</summary><input aria-label="From year"><input aria-label="To year"><a href="/archive">Archive of files</a></details>
       <button type="button" data-shows="editor">New folder</button><section id="editor" hidden><h2>Create a folder</h2><input aria-label="Title"><button type="button" data-hides="editor">Cancel</button></section>`,
    ),
    "/panels": page(
      "Preferences",
      `<mat-accordion><mat-expansion-panel><mat-expansion-panel-header role="button" tabindex="0" aria-expanded="false" aria-controls="cdk-1">Personal data</mat-expansion-panel-header><div id="cdk-1" role="region" hidden><input aria-label="First name"><input aria-label="Last name"><input aria-label="Age"></div></mat-expansion-panel></mat-accordion>
       <button type="button" data-flips="side">Side bar</button><aside id="side"><a href="/help">Help pages</a> <a href="/news">News of the week</a> <button type="button">Pin notes</button></aside>
       <div role="button" tabindex="0" data-fills="advanced">Advanced</div><div id="advanced"></div><template id="advanced-content"><input aria-label="Cache size"><input aria-label="Retries"><a href="/limits">Limits of use</a><button type="button" data-shows="layer">Edit routes</button></template>
       <div id="layer" role="dialog" aria-modal="true" hidden><h2>Routes</h2><input aria-label="Gateway"><button type="button" data-hides="layer">Close</button></div>`,
    ),
    "/proxy": page("Proxy", "<p>None.</p>"),
    "/limits": page("Limits", "<p>None.</p>"),
    "*": (request) => page(new URL(request.url).pathname.slice(1), "<p>Nothing.</p>"),
  });
}
