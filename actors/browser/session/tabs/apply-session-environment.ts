/**
 * Applies a session's environment to its pages: user agent, locale, location, and headers and credentials by host.
 * Each page, and each frame in a process of its own, is configured before its first script runs. Headers and
 * passwords of a host are added to each request separately, so that no redirect carries them to another host.
 */
import { isBoundTo } from "../../../../machines/session/state/secret-host-match.ts";
import type { BrowserEnvironment } from "../../../../machines/session/state/session-start-options.ts";
import type { Connection, Session } from "../../chromium/devtools-connection.ts";
import type { BrowserProxy } from "../../chromium/launch-chromium.ts";
import { HELD_MESSAGE_BINDING, pageScripts } from "../../page-script/page-script-bundle.ts";

export interface Screen {
  readonly width: number;
  readonly height: number;
}

/** The environment of a session that changes none of the browser's settings. */
const NO_SETTINGS: BrowserEnvironment = { credentials: [], headers: [] };

/**
 * True if the environment changes anything in the browser, so that it must be applied before a page sends its
 * first request.
 */
export function hasSettings(environment: BrowserEnvironment = NO_SETTINGS): boolean {
  return Object.values(environment).some((value) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined,
  );
}

/** Decides whether a request of a page may leave the browser. */
export type RequestGuard = (request: {
  readonly url: string;
  readonly method: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}) => boolean;

export class Environment {
  readonly #settings: BrowserEnvironment;
  readonly #proxy: BrowserProxy | undefined;
  readonly #guard: RequestGuard | undefined;
  /**
   * The browser's own user agent. When the locale is overridden, Chromium requires a user agent too, so this
   * value is sent unchanged.
   */
  #userAgent = "";

  constructor(settings: BrowserEnvironment = NO_SETTINGS, proxy?: BrowserProxy, guard?: RequestGuard) {
    this.#settings = settings;
    this.#proxy = proxy;
    this.#guard = guard;
  }

  /**
   * Whether every request of the session is intercepted. In this case, this class also answers when the proxy
   * requests credentials.
   */
  get interceptsRequests(): boolean {
    const { headers, credentials } = this.#settings;
    return headers.length > 0 || credentials.length > 0 || this.#guard !== undefined;
  }

  /** Whether the settings contain credentials for an address: a password, or an `Authorization` header. */
  authenticates(url: string): boolean {
    const { credentials, headers } = this.#settings;
    return (
      credentials.some(({ hosts }) => isBoundTo(hosts, url)) ||
      headers.some(
        ({ hosts, headers: extra }) =>
          isBoundTo(hosts, url) && headerOf(extra, "authorization") !== undefined,
      )
    );
  }

  /**
   * Prepares a browser context before its first page is opened: allows the pages to read the location if one is
   * set, and reads the browser's user agent if it is needed.
   */
  async prepare({ root }: Connection, browserContextId: string): Promise<void> {
    const { geolocation, locale, user_agent } = this.#settings;
    if (geolocation) {
      await root.send("Browser.grantPermissions", { browserContextId, permissions: ["geolocation"] });
    }
    if (locale !== undefined && user_agent === undefined)
      this.#userAgent = (await root.send("Browser.getVersion")).userAgent;
  }

  /** Returns the size, scale and mobile mode that a page's viewport must have. */
  metrics({ width, height }: Screen) {
    const { device_scale_factor: deviceScaleFactor = 1, is_mobile: mobile = false } = this.#settings;
    return { width, height, deviceScaleFactor, mobile };
  }

  /**
   * Applies the settings to a target: a page, or a frame that has a process of its own. The responses to the
   * commands are not awaited, because Chromium runs commands in order, and the target may be closed already.
   */
  applyTo(session: Session): void {
    const { user_agent, locale, timezone, geolocation, has_touch, color_scheme, reduced_motion } =
      this.#settings;
    const answers: Promise<unknown>[] = [];
    if (user_agent !== undefined || locale !== undefined) {
      answers.push(
        session.send("Emulation.setUserAgentOverride", {
          userAgent: user_agent ?? this.#userAgent,
          ...(locale === undefined ? {} : { acceptLanguage: acceptLanguage(locale) }),
        }),
      );
    }
    if (locale !== undefined) answers.push(session.send("Emulation.setLocaleOverride", { locale }));
    if (timezone !== undefined)
      answers.push(session.send("Emulation.setTimezoneOverride", { timezoneId: timezone }));
    if (geolocation) answers.push(session.send("Emulation.setGeolocationOverride", geolocation));
    if (has_touch) {
      answers.push(session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 5 }));
    }
    const features = [
      ...(color_scheme === undefined ? [] : [{ name: "prefers-color-scheme", value: color_scheme }]),
      ...(reduced_motion === undefined ? [] : [{ name: "prefers-reduced-motion", value: reduced_motion }]),
    ];
    if (features.length > 0) answers.push(session.send("Emulation.setEmulatedMedia", { features }));
    if (this.interceptsRequests) answers.push(this.#interceptRequests(session));
    if (this.#guard) answers.push(this.#holdSocketMessages(session, this.#guard));
    for (const answer of answers) answer.catch(() => {});
  }

  /**
   * Holds back WebSocket messages that the page sends after a click or a key press and that ask for a change. The
   * guard is called for each of these messages, only to count it. Its result is ignored, because the message is
   * not sent anyway.
   */
  async #holdSocketMessages(session: Session, guard: RequestGuard): Promise<void> {
    session.also("Runtime.bindingCalled", ({ name, payload }) => {
      if (name !== HELD_MESSAGE_BINDING) return;
      const end = payload.indexOf("\n");
      guard({ url: payload.slice(0, end), method: "WEBSOCKET", body: payload.slice(end + 1), headers: {} });
    });
    const { sockets: source } = await pageScripts();
    await Promise.all([
      session.send("Runtime.addBinding", { name: HELD_MESSAGE_BINDING }),
      session.send("Page.addScriptToEvaluateOnNewDocument", { source, runImmediately: true }),
    ]);
  }

  /**
   * Intercepts every request of a DevTools target (a page, or a frame that has a process of its own), to add
   * headers and credentials or to refuse the request.
   */
  #interceptRequests(session: Session): Promise<unknown> {
    const { headers, credentials } = this.#settings;
    /**
     * Requests for which the browser has sent a password. If the server asks again, the password was wrong
     * and is not sent again.
     */
    const tried = new Set<string>();
    const ignoreError = (answer: Promise<unknown>): void => void answer.catch(() => {});
    session.also("Fetch.requestPaused", ({ requestId, request, resourceType }) => {
      const { url, method, postData: body, headers } = request;
      if (this.#guard && !this.#guard({ url, method, body, headers })) {
        // An aborted navigation leaves the current page in place, while a blocked one replaces it by an error
        // page. So a refused navigation is aborted.
        const errorReason = resourceType === "Document" ? "Aborted" : "BlockedByClient";
        ignoreError(session.send("Fetch.failRequest", { requestId, errorReason }));
        return;
      }
      const newHeaders = this.#headersFor(request);
      const override = newHeaders && {
        headers: Object.entries(newHeaders).map(([name, value]) => ({ name, value })),
      };
      ignoreError(session.send("Fetch.continueRequest", { requestId, ...override }));
    });
    session.also("Fetch.authRequired", ({ requestId, request, authChallenge }) => {
      const { source, origin } = authChallenge;
      // Every request is intercepted, so Chromium also reports here that the proxy requests credentials. The
      // proxy's credentials are sent only to the proxy, and a host's password only to that host.
      const credential =
        source === "Proxy"
          ? this.#proxy
          : credentials.find(({ hosts }) => isBoundTo(hosts, origin) && isBoundTo(hosts, request.url));
      const { username, password } = credential ?? {};
      const key = `${source} ${requestId}`;
      const isFirst = !tried.has(key);
      if (tried.size > MAX_TRIED) tried.clear();
      tried.add(key);
      ignoreError(
        session.send("Fetch.continueWithAuth", {
          requestId,
          authChallengeResponse:
            isFirst && username !== undefined && password !== undefined
              ? { response: "ProvideCredentials", username, password }
              : { response: "CancelAuth" },
        }),
      );
    });
    const patterns =
      headers.length > 0 || this.#proxy?.username !== undefined || this.#guard !== undefined
        ? ["*"]
        : credentials.flatMap(({ hosts }) => hosts.map(patternOf));
    return session.send("Fetch.enable", {
      patterns: patterns.map((urlPattern) => ({ urlPattern })),
      handleAuthRequests: true,
    });
  }

  /**
   * Returns the headers of a request, with the extra headers for its host. After a redirect from another
   * host, the extra headers for that host are removed.
   */
  #headersFor({
    url,
    headers,
  }: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  }): Readonly<Record<string, string>> | undefined {
    const foreign = new Set<string>();
    const added: [string, string][] = [];
    for (const { hosts, headers: extra } of this.#settings.headers) {
      const matches = isBoundTo(hosts, url);
      for (const [name, value] of Object.entries(extra)) {
        if (matches) added.push([name, value]);
        else if (headerOf(headers, name) === value) foreign.add(name.toLowerCase());
      }
    }
    if (added.length === 0 && foreign.size === 0) return undefined;
    const replaced = new Set([...foreign, ...added.map(([name]) => name.toLowerCase())]);
    const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
    return Object.fromEntries([...kept, ...added]);
  }
}

/** Maximum number of requests that are remembered because a password was sent with them. */
const MAX_TRIED = 1_000;

function headerOf(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
}

/**
 * Returns a URL pattern for intercepting requests to a host for which a password is set. The pattern may also
 * match other hosts, so the exact host is checked again when a server requests the password.
 */
function patternOf(host: string): string {
  return `*://${host.replace(/^\*\./, "*.")}${/:\d+$/.test(host) ? "" : "*"}/*`;
}

/**
 * Returns the value of the `Accept-Language` header: the locale, followed by its language alone. The browser
 * adds the quality values (`q=`).
 */
function acceptLanguage(locale: string): string {
  const [language = locale] = locale.split("-");
  return language === locale ? locale : `${locale},${language}`;
}
