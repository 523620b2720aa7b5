/** Renders the screens of a fixture application as HTML from its description. */

import type { AppAction, AppDescription, AppScreen, FormField, Part } from "./fixture-app-description.ts";
import { type AppTruth, CLOSE, fillPath } from "./fixture-app-expected-map.ts";
import { clientScript } from "./fixture-app-script.ts";

export interface AppState {
  readonly screen: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface AppRecord {
  readonly number: number;
  readonly fields: Readonly<Record<string, string>>;
}

/** The data from which a fixture application draws a page: facts about the session and about the request. */
export interface AppView {
  readonly user: string | undefined;
  readonly records: (collection: string) => readonly AppRecord[];
  /** The query parameters of the address, for the page and sorting of a table and the words of a search. */
  readonly query: URLSearchParams;
  readonly errors?: readonly string[];
  readonly disturbance?: Disturbance;
}

/**
 * Disturbances of the page, such as an unexpected dialog. The page had none when its map was made, so the
 * routes of the map do not expect them.
 */
export interface Disturbance {
  /** Whether an unexpected dialog lies over the page until it is closed. */
  readonly dialog: boolean;
  /** Whether the page shows its actions in reverse order. */
  readonly moved: boolean;
}

/**
 * A dialog that the description of the application does not contain. It closes without a request to the
 * server.
 */
const UNEXPECTED_DIALOG =
  '<div class="layer"><div class="dialog" role="dialog" aria-modal="true" aria-label="News of the week"><h2>News of the week</h2><p>We have moved.</p><button type="button" onclick="this.closest(\'.layer\').remove()">Close</button></div></div>';

/**
 * What the server sends after an action: the address, the title and the content that the page's script puts
 * in place.
 */
export interface AppFragments {
  /** The path that the browser's address bar shows after the action. */
  readonly url: string;
  readonly title: string;
  readonly root: string;
  readonly main: string;
  readonly panel: string;
  readonly layers: string;
}

const STYLE = `body{font:16px sans-serif;margin:0}header,main,footer{padding:12px}nav a,nav button{margin-right:12px}.layer{position:fixed;inset:0;background:#0006;display:grid;place-items:center}.dialog{background:#fff;padding:24px;min-width:320px}.field{display:block;margin:8px 0}table td,table th{padding:4px 12px}.card{border:1px solid #999;padding:12px;margin:8px}`;

export class AppPages {
  readonly #description: AppDescription;
  readonly #truth: AppTruth;

  constructor(description: AppDescription, truth: AppTruth) {
    this.#description = description;
    this.#truth = truth;
  }

  /** Returns the complete HTML of a page. For a client-rendered application its body is empty. */
  document(state: AppState, view: AppView): string {
    const { rendering, title } = this.#description;
    const parts = this.fragments(state, view);
    const [root, layers, name] =
      rendering === "client" ? ["", "", title] : [parts.root, parts.layers, parts.title];
    const at = rendering === "client" ? "" : escaped(JSON.stringify(state));
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name}</title><style>${STYLE}</style></head><body data-at="${at}"><div id="root">${root}</div><div id="layers">${layers}</div><script>${clientScript}</script></body></html>`;
  }

  fragments(state: AppState, view: AppView): AppFragments {
    const layers = this.#truth.layersOf(state.screen);
    const [page] = layers;
    if (!page) throw new Error(`"${state.screen}" has no page`);
    const dialogs = layers.filter(({ place }) => place.kind === "dialog");
    const inner = layers.findLast(({ place }) => place.kind !== "dialog") ?? page;
    const heading = this.#text(page.heading, state);
    const panel = this.#panel(inner, page, state, view);
    const main = `<h1>${heading}</h1>${this.#actions(page, state, view)}${this.#tabs(inner, state)}<div id="panel">${panel}</div>`;
    return {
      url: fillPath(this.#truth.pathOf(state.screen), state.parameters),
      title: `${heading} · ${this.#description.title}`,
      root: `<header class="top"><strong class="brand">${this.#description.title}</strong><nav aria-label="Main">${inOrder(
        this.#description.navigation.filter((action) => isShown(action, view)),
        view,
      )
        .map((action) => this.#action(action, state))
        .join(
          " ",
        )}</nav>${view.user ? `<span class="user">${view.user}</span>` : ""}</header><main id="main">${main}</main><footer><p>${this.#description.title}, all rights reserved</p></footer>`,
      main,
      panel,
      layers:
        dialogs.map((dialog) => this.#dialog(dialog, state, view)).join("") +
        (view.disturbance?.dialog ? UNEXPECTED_DIALOG : ""),
    };
  }

  #panel(screen: AppScreen, page: AppScreen, state: AppState, view: AppView): string {
    const parts = this.#parts(screen, state, view);
    if (screen === page) return parts;
    return `<section class="${screen.place.kind}"><h2>${this.#text(screen.heading, state)}</h2>${parts}${this.#actions(screen, state, view)}</section>`;
  }

  #dialog(screen: AppScreen, state: AppState, view: AppView): string {
    const heading = this.#text(screen.heading, state);
    const close = { id: CLOSE, label: "Close", to: "", by: "press" } as const;
    return `<div class="layer"><div class="dialog" role="dialog" aria-modal="true" aria-label="${heading}"><h2>${heading}</h2>${this.#parts(screen, state, view)}${this.#actions(screen, state, view)}${this.#action(close, state)}</div></div>`;
  }

  #tabs(inner: AppScreen, state: AppState): string {
    const tabs = this.#truth.tabsOf(inner.id);
    if (tabs.length === 0) return "";
    const buttons = tabs.map(
      ({ id, label, to }) =>
        `<button type="button" role="tab" aria-selected="${to === inner.id}" data-do="${id}">${this.#text(label, state)}</button>`,
    );
    return `<div class="tabs" role="tablist">${buttons.join("")}</div>`;
  }

  /** Renders the actions of a screen. The submit button of its form is rendered with the form. */
  #actions(screen: AppScreen, state: AppState, view: AppView): string {
    const shown = (screen.actions ?? []).filter((action) => action.by !== "submit" && isShown(action, view));
    if (shown.length === 0) return "";
    return `<div class="actions">${inOrder(shown, view)
      .map((action) => this.#action(action, state))
      .join(" ")}</div>`;
  }

  #action({ id, label, to, by, effect }: AppAction, state: AppState): string {
    const text = this.#text(label, state);
    if (by === "link") {
      return `<a href="${fillPath(this.#truth.pathOf(to), state.parameters)}" data-do="${id}">${text}</a>`;
    }
    if (effect && this.#description.rendering === "server") {
      return `<form class="inline" method="post" style="display:inline"><input type="hidden" name="_do" value="${id}"><button type="submit">${text}</button></form>`;
    }
    return `<button type="button" data-do="${id}"${effect ? " data-writes" : ""}>${text}</button>`;
  }

  #parts(screen: AppScreen, state: AppState, view: AppView): string {
    return screen.parts.map((part) => this.#part(screen, part, state, view)).join("");
  }

  #part(screen: AppScreen, part: Part, state: AppState, view: AppView): string {
    switch (part.kind) {
      case "text":
        return `<p class="text">${this.#text(part.text, state)}</p>`;
      case "search":
        return `<form class="search" role="search" method="get"><input type="search" name="q" aria-label="Search" value="${escaped(view.query.get("q") ?? "")}"><button type="submit">Search</button></form>`;
      case "record":
        return this.#record(part.collection, state, view);
      case "table":
        return this.#table(part, view);
      case "endless":
        return `<div class="cards" data-part="${screen.parts.indexOf(part)}">${this.cards(part, view, 0)}</div><div class="more"></div>`;
      case "form":
        return this.#form(screen, part, state, view);
    }
  }

  #record(collection: string, { parameters }: AppState, view: AppView): string {
    const { parameter = "" } = this.#description.collections[collection] ?? {};
    const record = view.records(collection).find(({ number }) => String(number) === parameters[parameter]);
    const fields = Object.entries(record?.fields ?? {});
    return `<dl class="record">${fields.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join("")}</dl>`;
  }

  #table(part: Part & { readonly kind: "table" }, view: AppView): string {
    const { label = "", fields = {} } = this.#description.collections[part.collection] ?? {};
    const names = Object.keys(fields);
    const words = (view.query.get("q") ?? "").toLowerCase();
    const sort = view.query.get("sort") ?? "";
    const found = view
      .records(part.collection)
      .filter(
        (record) => words === "" || Object.values(record.fields).join(" ").toLowerCase().includes(words),
      );
    if (names.includes(sort))
      found.sort((a, b) => (a.fields[sort] ?? "").localeCompare(b.fields[sort] ?? ""));
    const page = Math.max(1, Number(view.query.get("page")) || 1);
    const rows = found.slice((page - 1) * part.size, page * part.size);
    const link = (changes: Record<string, string>) =>
      `?${new URLSearchParams({ ...Object.fromEntries(view.query), ...changes })}`;
    const pages = Math.ceil(found.length / part.size);
    const paging = Array.from({ length: pages }, (_, at) => at + 1)
      .map((number) =>
        number === page
          ? `<span>${number}</span>`
          : `<a href="${escaped(link({ page: String(number) }))}">${number}</a>`,
      )
      .join(" ");
    const columns = names.map((name) =>
      part.sortable ? `<th><a href="${escaped(link({ sort: name }))}">${name}</a></th>` : `<th>${name}</th>`,
    );
    const body = rows.map(
      (record) =>
        `<tr><td>${this.#row(part.to, record, label)}</td>${names.map((name) => `<td>${escaped(record.fields[name] ?? "")}</td>`).join("")}</tr>`,
    );
    return `<table class="list"><thead><tr><th>${label}</th>${columns.join("")}</tr></thead><tbody>${body.join("")}</tbody></table>${pages > 1 ? `<nav class="paging" aria-label="Pages">${paging}</nav>` : ""}`;
  }

  /** Renders the cards of an endless list, beginning with the record at position `from`. */
  cards(part: Part & { readonly kind: "endless" }, view: AppView, from: number): string {
    const { label = "", fields = {} } = this.#description.collections[part.collection] ?? {};
    const [first = ""] = Object.keys(fields);
    return view
      .records(part.collection)
      .filter((record) => part.only === undefined || Object.values(record.fields).includes(part.only))
      .slice(from, from + part.size)
      .map(
        (record) =>
          `<article class="card"><h3>${this.#row(part.to, record, label)}</h3><p>${escaped(record.fields[first] ?? "")}</p></article>`,
      )
      .join("");
  }

  #row(to: string, { number }: AppRecord, label: string): string {
    const target = this.#truth.screen(to);
    const text = `${label} ${number}`;
    if (target.place.kind !== "page") {
      return `<button type="button" data-do="row-${to}" data-row="${number}">${text}</button>`;
    }
    const name = /\{(\w+)\}/.exec(target.place.path)?.[1] ?? "";
    return `<a href="${fillPath(target.place.path, { [name]: String(number) })}" data-do="row-${to}" data-row="${number}">${text}</a>`;
  }

  #form(screen: AppScreen, part: Part & { readonly kind: "form" }, state: AppState, view: AppView): string {
    const submit = screen.actions?.find(({ by }) => by === "submit");
    const { parameter = "" } = this.#description.collections[part.collection ?? ""] ?? {};
    const record = part.collection
      ? view.records(part.collection).find(({ number }) => String(number) === state.parameters[parameter])
      : undefined;
    const errors = (view.errors ?? []).map((error) => `<p role="alert" class="error">${error}</p>`).join("");
    const fields = part.fields.map((field) =>
      fieldHtml(field, record?.fields[field.name] ?? field.value ?? ""),
    );
    const native =
      this.#description.rendering === "server" &&
      submit &&
      this.#truth.screen(submit.to).place.kind === "page";
    return `<form class="edit" novalidate method="post"${native && submit.effect ? "" : ` data-do="${submit?.id ?? ""}"`}${submit?.effect ? " data-writes" : ""}>${errors}<input type="hidden" name="_do" value="${submit?.id ?? ""}">${fields.join("")}<button type="submit">${submit?.label ?? "Save"}</button></form>`;
  }

  #text(text: string, { parameters }: AppState): string {
    return text.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? "");
  }
}

function fieldHtml(
  { name, label, type = "text", required, pattern, options }: FormField,
  value: string,
): string {
  const rules = `${required ? " required" : ""}${pattern ? ` pattern="${escaped(pattern)}"` : ""}`;
  const control = options
    ? `<select name="${name}"${rules}>${options.map((option) => `<option${option === value ? " selected" : ""}>${option}</option>`).join("")}</select>`
    : `<input type="${type}" name="${name}" value="${escaped(value)}"${rules}>`;
  return `<label class="field">${label} ${control}</label>`;
}

function inOrder(actions: readonly AppAction[], { disturbance }: AppView): readonly AppAction[] {
  return disturbance?.moved ? actions.toReversed() : actions;
}

function isShown({ only }: AppAction, { user }: AppView): boolean {
  return only === undefined || (only === "signed-in") === (user !== undefined);
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** Returns the errors in the values of a form, by field. */
export function formErrors(
  fields: readonly FormField[],
  values: Readonly<Record<string, string>>,
): readonly string[] {
  return fields.flatMap(({ name, label, required, pattern }) => {
    const value = values[name] ?? "";
    if (required && value === "") return [`${label} is required`];
    return value !== "" && pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(value)
      ? [`${label} is not valid`]
      : [];
  });
}
