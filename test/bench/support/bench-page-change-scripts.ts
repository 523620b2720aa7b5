/**
 * Scripts that change a page in a way that an agent has to notice: in rows of tables and lists, and by a
 * dialog.
 */

/**
 * JavaScript code that finds the rows to change and stores them in the variable `rows`. They are the visible
 * innermost rows with a link or button. If the page has no such row, `rows` contains only the body.
 */
const ROWS = `const all = [...document.querySelectorAll("tbody tr, li, article, dt, dd")]
  .filter((row) => row.checkVisibility() && row.querySelector("a[href], button") && !row.querySelector("tr, li, article, dt, dd"));
const rows = all.length > 0 ? all : [document.body];`;

const rename = (row: string, text: string): string =>
  `{ const named = ${row}.querySelector("a[href], button"); if (named) named.textContent = ${text}; }`;

interface PageChange {
  readonly what: string;
  /**
   * Returns a script that changes the page. The change differs for each number `round`, so that it can be
   * made repeatedly.
   */
  script(round: number): string;
}

export const changes: readonly PageChange[] = [
  {
    what: "one row changed",
    script: (round) => `${ROWS} ${rename("rows[rows.length >> 1]", `"Changed ${round}"`)}`,
  },
  {
    what: "1 % of the rows changed",
    script: (round) =>
      `${ROWS} rows.forEach((row, at) => { if (at % 100 === Math.min(50, rows.length - 1)) ${rename("row", `"Update ${round} " + at`)} });`,
  },
  {
    what: "ten rows inserted",
    script: (round) => `${ROWS} const row = rows[rows.length >> 1];
      document.querySelectorAll("[data-inserted]").forEach((old) => old.remove());
      for (let at = 0; at < 10 && row !== document.body; at++) {
        const copy = row.cloneNode(true); copy.removeAttribute("id"); copy.dataset.inserted = "";
        for (const inner of copy.querySelectorAll("[id]")) inner.removeAttribute("id");
        ${rename("copy", `"Inserted ${round} " + at`)} row.after(copy);
      }
      if (row === document.body) for (let at = 0; at < 10; at++) {
        const made = document.createElement("button"); made.dataset.inserted = ""; made.textContent = "Inserted ${round} " + at;
        row.append(made);
      }`,
  },
  {
    what: "a dialog opened",
    script: (round) => `const dialog = document.createElement("dialog"); dialog.dataset.bench = "";
      dialog.innerHTML = "<p>Delete round ${round}?</p><button>Delete ${round}</button><button>Cancel</button>";
      document.body.append(dialog); dialog.showModal();`,
  },
];

/** Returns a script that removes the dialog which the script of the same round has opened. */
export const removeDialog = (round: number): string =>
  `void document.querySelectorAll("dialog[data-bench]").forEach((dialog) => dialog.remove(), ${round});`;
