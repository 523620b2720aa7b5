/**
 * Serves a fixture application from its description and records what each session sees. The state of a
 * session is kept on the server and not in the browser.
 */
import { serveOnUnusedPort } from "../serve-on-unused-port.ts";
import type {
  AppAction,
  AppDescription,
  Collection,
  DataEffect,
  Effect,
  FormField,
} from "./fixture-app-description.ts";
import { AppTruth, CLOSE, fillPath, SIGN_IN } from "./fixture-app-expected-map.ts";
import {
  AppPages,
  type AppRecord,
  type AppState,
  type AppView,
  type Disturbance,
  formErrors,
} from "./fixture-app-pages.ts";

export interface AppRequest {
  readonly method: string;
  /** Path and query of the request. */
  readonly path: string;
  readonly session: string;
  /** Id of the screen that the browser session shows after this HTTP request. */
  readonly screen: string | undefined;
  /** Whether the request has changed data. */
  readonly wrote: boolean;
}

export interface RunningApp {
  readonly url: string;
  readonly truth: AppTruth;
  readonly log: readonly AppRequest[];
  /** Returns the state that a session shows. The default is the session that has sent the last request. */
  stateOf(session?: string): AppState | undefined;
  /**
   * Returns an address at which a session with this id starts, and which then leads to `path`. With `user`,
   * this user is signed in.
   */
  enter(session: string, options?: { readonly user?: string; readonly path?: string }): string;
  /** From now on, a link for this transition leads to the start page, and a button for it does nothing. */
  breakTransition(from: string, action: string): void;
  /**
   * Disturbs the pages of this session from now on. Every third page has an unexpected dialog, and every
   * second page has its actions in reverse order. A part of a page that is loaded separately counts as a
   * page.
   */
  disturb(session: string): void;
  /** Restores the initial data of the application. Sessions are kept. */
  reset(): void;
  stop(): Promise<void>;
}

interface Session {
  readonly id: string;
  user: string | undefined;
  state: AppState | undefined;
}

const COOKIE = "app_session";
const HTML = { "content-type": "text/html; charset=utf-8" };

export interface AppOptions {
  readonly hostname?: string;
  /** If set, each new session is signed in as this user. */
  readonly user?: string;
}

export function serveApp(description: AppDescription, options: AppOptions = {}): RunningApp {
  const hostname = options.hostname ?? "127.0.0.1";
  const app = new App(description, options.user);
  const server = serveOnUnusedPort(() =>
    Bun.serve({ hostname, port: 0, idleTimeout: 0, fetch: (request) => app.answer(request) }),
  );
  const url = `http://${hostname}:${server.port}`;
  return {
    url,
    truth: app.truth,
    log: app.log,
    stateOf: (session) => app.stateOf(session),
    enter: (session, { user, path = "/" } = {}) =>
      `${url}/-/enter?${new URLSearchParams({ session, path, ...(user === undefined ? {} : { user }) })}`,
    breakTransition: (from, action) => app.broken.add(`${from} ${action}`),
    disturb: (session) => app.disturbed.add(session),
    reset: () => app.reset(),
    stop: () => server.stop(true),
  };
}

class App {
  readonly truth: AppTruth;
  readonly log: AppRequest[] = [];
  readonly broken = new Set<string>();
  /**
   * The ids of the sessions in which some pages show an unexpected dialog, or show their actions in reverse
   * order.
   */
  readonly disturbed = new Set<string>();
  #disturbances = 0;
  readonly #description: AppDescription;
  readonly #pages: AppPages;
  readonly #sessions = new Map<string, Session>();
  readonly #records = new Map<string, AppRecord[]>();
  #last: Session | undefined;

  readonly #user: string | undefined;

  constructor(description: AppDescription, user?: string) {
    this.#description = description;
    this.#user = user;
    this.truth = new AppTruth(description);
    this.#pages = new AppPages(description, this.truth);
    this.reset();
  }

  reset(): void {
    for (const [name, collection] of Object.entries(this.#description.collections)) {
      this.#records.set(
        name,
        Array.from({ length: collection.count }, (_, at) => recordAt(collection, at)),
      );
    }
  }

  stateOf(session?: string): AppState | undefined {
    return (session === undefined ? this.#last : this.#sessions.get(session))?.state;
  }

  async answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (
      url.pathname === "/robots.txt" ||
      url.pathname === "/favicon.ico" ||
      url.pathname === "/sitemap.xml"
    ) {
      return new Response("not found", { status: 404 });
    }
    const session = this.#session(request, url);
    this.#last = session;
    const logged = this.log.length;
    const entry = (wrote: boolean): AppRequest => ({
      method: request.method,
      path: url.pathname + url.search,
      session: session.id,
      screen: session.state?.screen,
      wrote,
    });
    this.log.push(entry(false));
    const { response, wrote = false } = await this.#answer(request, url, session);
    this.log[logged] = entry(wrote);
    response.headers.append("set-cookie", `${COOKIE}=${session.id}; Path=/; HttpOnly`);
    return response;
  }

  async #answer(
    request: Request,
    url: URL,
    session: Session,
  ): Promise<{ response: Response; wrote?: boolean }> {
    if (url.pathname === "/-/enter") {
      session.user = url.searchParams.get("user") ?? undefined;
      return { response: redirect(url.searchParams.get("path") ?? "/") };
    }
    if (url.pathname === "/-/view") return await this.#change(request, url, session);
    if (url.pathname === "/-/more") return { response: this.#more(url, session) };
    if (request.method === "POST") return await this.#post(request, url, session);
    return { response: this.#open(request, url, session) };
  }

  #session(request: Request, url: URL): Session {
    const given = url.pathname === "/-/enter" ? url.searchParams.get("session") : null;
    const id =
      given ??
      new RegExp(`${COOKIE}=([^;]+)`).exec(request.headers.get("cookie") ?? "")?.[1] ??
      `s${this.#sessions.size + 1}`;
    const known = this.#sessions.get(id);
    if (known) return known;
    const session: Session = { id, user: this.#user, state: undefined };
    this.#sessions.set(id, session);
    return session;
  }

  #view(session: Session, query = new URLSearchParams(), errors: readonly string[] = []): AppView {
    return {
      user: session.user,
      query,
      errors,
      ...(this.disturbed.has(session.id) ? { disturbance: this.#nextDisturbance() } : {}),
      records: (collection) => [...(this.#records.get(collection) ?? [])],
    };
  }

  #nextDisturbance(): Disturbance {
    const turn = this.#disturbances++;
    return { dialog: turn % 3 === 2, moved: turn % 2 === 1 };
  }

  /** Answers an HTTP request for a page of the application. */
  #open(request: Request, url: URL, session: Session): Response {
    const found = this.#stateAt(url.pathname, session);
    if (found === undefined)
      return new Response("<!doctype html><title>Not found</title><h1>Not found</h1>", {
        status: 404,
        headers: HTML,
      });
    if (typeof found === "string") return redirect(found);
    const referrer = request.headers.get("referer");
    const from = referrer === null ? undefined : this.truth.screenAt(referrer);
    const wasBroken = this.truth.transitions.some(
      ({ from: source, to, action }) =>
        source === from && to === found.screen && this.broken.has(`${source} ${action}`),
    );
    if (wasBroken && this.#description.rendering === "server") return redirect("/");
    // If the server renders the page, this request sets the state of the session. If a script renders it, a second
    // request of the browser loads the content, and that second request sets the state.
    if (this.#description.rendering === "server") session.state = found;
    return new Response(this.#pages.document(found, this.#view(session, url.searchParams)), {
      headers: HTML,
    });
  }

  /**
   * Returns the state of the page at an address. If the server redirects the address, returns the target
   * address instead. Returns `undefined` for an unknown address.
   */
  #stateAt(pathname: string, session: Session): AppState | string | undefined {
    const page = this.truth.pageAt(pathname);
    if (!page) return undefined;
    for (const { parameter, records } of this.#collections()) {
      const number = page.parameters[parameter];
      if (number !== undefined && !records.some((record) => String(record.number) === number))
        return undefined;
    }
    if (page.screen.signedIn && session.user === undefined) {
      return `${this.truth.pathOf(SIGN_IN)}?next=${encodeURIComponent(pathname)}`;
    }
    return { screen: page.screen.id, parameters: page.parameters };
  }

  #collections(): readonly { readonly parameter: string; readonly records: readonly AppRecord[] }[] {
    return Object.entries(this.#description.collections).map(([name, { parameter }]) => ({
      parameter,
      records: this.#records.get(name) ?? [],
    }));
  }

  /** Performs an action on a page, and answers with the parts of the page that change. */
  async #change(
    request: Request,
    url: URL,
    session: Session,
  ): Promise<{ response: Response; wrote?: boolean }> {
    const at = url.searchParams.get("at") ?? "";
    const id = url.searchParams.get("do");
    if (id === null) {
      const path = url.searchParams.get("path") ?? "/";
      const found = this.#stateAt(path, session);
      const state = typeof found === "string" ? this.#stateAt(new URL(found, url).pathname, session) : found;
      if (typeof state !== "object")
        return {
          response: Response.json({
            url: path,
            title: "Not found",
            root: "<h1>Not found</h1>",
            layers: "",
            at: "",
          }),
        };
      session.state = state;
      return {
        response: this.#fragments(
          state,
          session,
          "root",
          new URLSearchParams(url.searchParams.get("query") ?? ""),
        ),
      };
    }
    // The cast is safe: the page sends back a value that this server has sent to it.
    const before = JSON.parse(at) as AppState;
    const values = request.method === "POST" ? await valuesOf(request) : {};
    const after = this.#after(
      before,
      id,
      url.searchParams.get("row"),
      values,
      session,
      request.method === "POST",
    );
    if (!after) return { response: new Response(null, { status: 204 }) };
    session.state = after.state;
    return {
      response: this.#fragments(after.state, session, this.#partOf(before, after), new URLSearchParams()),
      wrote: after.wrote,
    };
  }

  #partOf(
    before: AppState,
    { state, wrote }: { state: AppState; wrote: boolean },
  ): "root" | "main" | "panel" | "layers" {
    const [a, b] = [this.truth.layersOf(before.screen), this.truth.layersOf(state.screen)];
    if (wrote) return "root";
    if (a[0] !== b[0] || JSON.stringify(before.parameters) !== JSON.stringify(state.parameters)) {
      // If only a dialog above the page has changed, the server sends only the dialogs, and not the page
      // below them.
      return a[0] === b[0] ? "layers" : "main";
    }
    const inner = (layers: typeof a) => layers.filter(({ place }) => place.kind !== "dialog").at(-1);
    return inner(a) === inner(b) ? "layers" : "panel";
  }

  #fragments(
    state: AppState,
    session: Session,
    part: "root" | "main" | "panel" | "layers",
    query: URLSearchParams,
  ): Response {
    const all = this.#pages.fragments(state, this.#view(session, query));
    const inner = this.truth.layersOf(state.screen).findLast(({ place }) => place.kind !== "dialog");
    return Response.json({
      url: all.url,
      title: all.title,
      layers: all.layers,
      tab: `tab-${inner?.id}`,
      at: JSON.stringify(state),
      document: part === "main" && this.#description.rendering === "server",
      ...(part === "layers" ? {} : { [part]: all[part] }),
    });
  }

  /** Returns the application state after an action; `undefined` if the action has no effect. */
  #after(
    before: AppState,
    id: string,
    row: string | null,
    values: Readonly<Record<string, string>>,
    session: Session,
    writes: boolean,
  ): { readonly state: AppState; readonly wrote: boolean } | undefined {
    const known = this.truth.transitions.find(({ from, action }) => from === before.screen && action === id);
    const stays = { state: before, wrote: false };
    if (!known)
      return id === `tab-${before.screen}` || this.#description.navigation.some((action) => action.id === id)
        ? stays
        : undefined;
    if (this.broken.has(`${known.from} ${id}`)) return undefined;
    const action = this.#action(before.screen, id);
    if (known.writes !== writes) return undefined;
    if (known.needs.length > 0 && writes && formErrors(this.#fields(before.screen), values).length > 0)
      return undefined;
    let parameters = { ...before.parameters };
    if (row !== null) {
      const name =
        /\{(\w+)\}/.exec(this.truth.pathOf(known.to))?.[1] ?? this.#parameterOf(before.screen, known.to);
      parameters = { ...parameters, [name]: row };
    }
    if (action?.effect)
      parameters = { ...parameters, ...this.#apply(action.effect, parameters, values, session) };
    const target = this.truth.pageOf(known.to);
    if (target.signedIn && session.user === undefined)
      return { state: { screen: SIGN_IN, parameters: {} }, wrote: false };
    return {
      state: { screen: known.to, parameters: this.#kept(known.to, parameters, id) },
      wrote: known.writes,
    };
  }

  /**
   * Returns the parameters that occur in the URL path of the screen `to`, and drops all others. So a screen shows
   * the same state whenever it is visited.
   */
  #kept(
    to: string,
    parameters: Readonly<Record<string, string>>,
    action: string,
  ): Readonly<Record<string, string>> {
    const { place } = this.truth.screen(to);
    if (place.kind !== "page" && action !== CLOSE) return parameters;
    const names = [...this.truth.pathOf(to).matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    return Object.fromEntries(names.map((name) => [name, parameters[name] ?? "1"]));
  }

  #parameterOf(screen: string, to: string): string {
    const part = this.truth
      .screen(screen)
      .parts.find((one) => (one.kind === "table" || one.kind === "endless") && one.to === to);
    const collection = part && "collection" in part ? part.collection : undefined;
    return this.#description.collections[collection ?? ""]?.parameter ?? "row";
  }

  #action(screen: string, id: string): AppAction | undefined {
    const layers = this.truth.layersOf(screen).flatMap(({ actions = [] }) => actions);
    return [...layers, ...this.#description.navigation].find((action) => action.id === id);
  }

  #fields(screen: string): readonly FormField[] {
    return this.truth.screen(screen).parts.flatMap((part) => (part.kind === "form" ? part.fields : []));
  }

  /**
   * Applies the effect of an action to the application's data. Returns the parameters of the resulting
   * screen, such as the number of a new record.
   */
  #apply(
    effect: Effect,
    parameters: Readonly<Record<string, string>>,
    values: Readonly<Record<string, string>>,
    session: Session,
  ): Record<string, string> {
    if ("collection" in effect) return this.#applyTo(effect, parameters, values);
    session.user = effect.kind === "sign-in" ? values.user : undefined;
    return {};
  }

  #applyTo(
    effect: DataEffect,
    parameters: Readonly<Record<string, string>>,
    values: Readonly<Record<string, string>>,
  ): Record<string, string> {
    const collection = this.#description.collections[effect.collection];
    const records = this.#records.get(effect.collection) ?? [];
    if (!collection) return {};
    const at = records.findIndex(({ number }) => String(number) === parameters[collection.parameter]);
    if (effect.kind === "remove") {
      records.splice(at, at < 0 ? 0 : 1);
      return {};
    }
    const own = Object.fromEntries(
      Object.keys(collection.fields).map((name) => [name, values[name] ?? records[at]?.fields[name] ?? ""]),
    );
    if (effect.kind === "update") {
      const record = records[at];
      if (record) records[at] = { ...record, fields: own };
      return {};
    }
    const number = Math.max(0, ...records.map((record) => record.number)) + 1;
    records.push({ number, fields: own });
    return { [collection.parameter]: String(number) };
  }

  /** Handles the submitted form of a server-rendered page. */
  async #post(
    request: Request,
    url: URL,
    session: Session,
  ): Promise<{ response: Response; wrote?: boolean }> {
    const values = await valuesOf(request);
    const state = this.#stateAt(url.pathname, session);
    if (typeof state !== "object") return { response: new Response("not found", { status: 404 }) };
    // A form does not state in which state of its page (such as a dialog or a tab) it was sent. If the session
    // shows a state of this page, that state is used. Otherwise the state of the address is used.
    const before =
      session.state && this.truth.pageOf(session.state.screen).id === state.screen ? session.state : state;
    const action = this.#action(before.screen, values._do ?? "");
    const fields = action?.by === "submit" ? this.#fields(before.screen) : [];
    const wrong = [...formErrors(fields, values), ...this.#signInErrors(action, values)];
    if (!action || wrong.length > 0) {
      const page = this.#pages.document(before, this.#view(session, url.searchParams, wrong));
      return { response: new Response(page, { status: 422, headers: HTML }) };
    }
    const after = this.#after(before, action.id, null, values, session, true);
    if (!after) return { response: redirect(url.pathname) };
    const next = action.effect?.kind === "sign-in" ? url.searchParams.get("next") : null;
    session.state = after.state;
    return {
      response: redirect(next ?? fillPath(this.truth.pathOf(after.state.screen), after.state.parameters)),
      wrote: true,
    };
  }

  #signInErrors(action: AppAction | undefined, values: Readonly<Record<string, string>>): readonly string[] {
    if (action?.effect?.kind !== "sign-in") return [];
    const known = this.#description.users?.[values.user ?? ""];
    return known !== undefined && known === values.password ? [] : ["Name or password is wrong"];
  }

  #more(url: URL, session: Session): Response {
    // The cast is safe: the page sends back a value that this server has sent to it.
    const { screen } = JSON.parse(url.searchParams.get("at") ?? "{}") as AppState;
    const part = this.truth.screen(screen).parts[Number(url.searchParams.get("part"))];
    if (part?.kind !== "endless") return new Response("", { headers: HTML });
    return new Response(this.#pages.cards(part, this.#view(session), Number(url.searchParams.get("from"))), {
      headers: HTML,
    });
  }
}

function recordAt({ fields }: Collection, at: number): AppRecord {
  return {
    number: at + 1,
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, values]) => [name, values[at % values.length] ?? ""]),
    ),
  };
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}

async function valuesOf(request: Request): Promise<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(await request.text()));
}
