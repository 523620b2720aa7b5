/**
 * The script of the pages of a fixture application. It sends each action of the user to the server, and shows
 * the changes that the answer contains.
 */
export const clientScript = `
const $ = (id) => document.getElementById(id);
let at = document.body.dataset.at;
let values = {};
let asked = 0;
async function send(query, init) {
  const turn = ++asked;
  const response = await fetch("/-/view?" + new URLSearchParams({ at: at ?? "", path: location.pathname, ...query }), init);
  if (response.status === 204 || turn !== asked) return;
  const answer = await response.json();
  if (answer.document) { location.assign(answer.url); return; }
  const url = answer.url;
  if (url !== location.pathname && query.path === undefined) history.pushState({}, "", url);
  document.title = answer.title;
  if (answer.root !== undefined) $("root").innerHTML = answer.root;
  if (answer.main !== undefined) $("main").innerHTML = answer.main;
  if (answer.panel !== undefined) $("panel").innerHTML = answer.panel;
  for (const tab of document.querySelectorAll("[role=tab]")) if (answer.tab !== undefined) tab.setAttribute("aria-selected", String(tab.dataset.do === answer.tab));
  $("layers").innerHTML = answer.layers;
  at = answer.at;
  watch();
}
function refuse(form) {
  const wrong = [...form.elements].filter((field) => field.name && (field.required && field.value === "" || field.value !== "" && field.pattern && !new RegExp("^(?:" + field.pattern + ")$").test(field.value)));
  for (const error of form.querySelectorAll(".error")) error.remove();
  for (const field of wrong) {
    const error = document.createElement("p");
    error.className = "error"; error.setAttribute("role", "alert");
    error.textContent = (field.closest("label")?.firstChild.textContent.trim() ?? field.name) + (field.value === "" ? " is required" : " is not valid");
    form.prepend(error);
  }
  return wrong.length > 0;
}
document.addEventListener("click", (event) => {
  const element = event.target.closest("[data-do]");
  if (!element || element.tagName === "FORM") return;
  if (element.tagName === "A" && document.body.dataset.at) return;
  event.preventDefault();
  const query = { do: element.dataset.do, ...(element.dataset.row ? { row: element.dataset.row } : {}) };
  if (element.hasAttribute("data-writes")) send(query, { method: "POST", body: new URLSearchParams(values) });
  else send(query);
});
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.do === undefined) return;
  event.preventDefault();
  if (refuse(form)) return;
  Object.assign(values, Object.fromEntries(new FormData(form)));
  if (form.hasAttribute("data-writes")) send({ do: form.dataset.do }, { method: "POST", body: new URLSearchParams(values) });
  else send({ do: form.dataset.do });
});
addEventListener("popstate", () => { if (!document.body.dataset.at) send({ path: location.pathname, query: location.search }); });
let observer;
function watch() {
  observer?.disconnect();
  const end = document.querySelector(".more");
  if (!end) return;
  observer = new IntersectionObserver(async ([entry]) => {
    if (!entry.isIntersecting || !end.isConnected) return;
    const cards = end.previousElementSibling;
    const html = await fetch("/-/more?" + new URLSearchParams({ at, part: cards.dataset.part, from: cards.children.length })).then((response) => response.text());
    if (html !== "") cards.insertAdjacentHTML("beforeend", html);
    else observer.disconnect();
  });
  observer.observe(end);
}
if (at) watch(); else send({ path: location.pathname, query: location.search });
`;
