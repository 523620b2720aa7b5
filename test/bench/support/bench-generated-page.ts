/**
 * Generates pages of a chosen size for the bench of analyses: a dashboard of cards, menus, tables and forms.
 * Each run gets the same page.
 */

/**
 * Returns HTML with at least the given number of interactive elements. It may have slightly more, because
 * only whole blocks (such as a menu or a table) are added.
 */
export function generatedPage(elements: number): string {
  const parts: string[] = [];
  for (let made = 0, block = 0; made < elements; block++) {
    const kind = block % 4;
    if (kind === 0) parts.push(menu(block));
    else if (kind === 1) parts.push(table(block));
    else if (kind === 2) parts.push(form(block));
    else parts.push(cards(block));
    made += COUNTS[kind] ?? 1;
  }
  return `<!doctype html><title>Generated</title><style>${STYLE}</style><header><h1>Page of ${elements}</h1></header>
    <main>${parts.join("\n")}</main>`;
}

/** Number of interactive elements in one block of each kind. */
const COUNTS = [12, 30, 8, 12];

const STYLE = `
  body { font: 14px sans-serif; margin: 0 } nav ul { display: flex; flex-wrap: wrap; list-style: none }
  nav li { margin: 0 8px } table { border-collapse: collapse } td { border: 1px solid #ccc; padding: 4px }
  .cards { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px } .card { border: 1px solid #ccc }
  .pick { cursor: pointer; padding: 4px } form div { margin: 4px }`;

const times = (count: number, one: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => one(at)).join("");

const menu = (block: number): string =>
  `<nav aria-label="Menu ${block}"><ul>${times(12, (at) => `<li><a class="link" href="/menu/${block}/${at}">Entry ${block} ${at}</a></li>`)}</ul></nav>`;

const table = (block: number): string =>
  `<section><h2>Orders ${block}</h2><table><tbody>${times(
    10,
    (at) => `<tr><td><input type="checkbox" aria-label="Select ${at}"></td>
      <td><a href="/orders/${block}-${at}">Order ${block}-${at}</a></td><td>Customer ${at * 7} of block ${block}</td>
      <td>${at * 13}.50</td><td><button type="button" data-id="${block}-${at}"><span>Edit</span></button></td></tr>`,
  )}</tbody></table></section>`;

const form = (block: number): string =>
  `<form id="form-${block}"><h3>Settings ${block}</h3>${times(
    5,
    (at) => `<div><label for="f-${block}-${at}">Field ${at}</label>
      <input id="f-${block}-${at}" name="field-${at}" placeholder="Value ${at}"></div>`,
  )}<label>Choice <select name="choice">${times(6, (at) => `<option>Option ${at}</option>`)}</select></label>
    <textarea name="note" aria-label="Note ${block}"></textarea><button>Save</button></form>`;

const cards = (block: number): string =>
  `<section class="cards">${times(
    6,
    (
      at,
    ) => `<article class="card"><h4>Card ${block} ${at}</h4><p>Some words about the card ${at}, of which there are
      a few more than needed.</p><div class="pick">Choose ${at}</div><a href="#more-${block}-${at}">More</a></article>`,
  )}</section>`;
