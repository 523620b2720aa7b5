/**
 * Records to which hosts the browser sends a user name and password by HTTP authentication. The browser keeps
 * them in memory only, so a restored session lacks them.
 */
import type { Session } from "../../chromium/devtools-connection.ts";

/** Matches the schemes by which the browser itself sends a user name and password. */
const SENT_BY_BROWSER = /^(basic|digest|ntlm|negotiate)\s/i;
/** HTTP status of a response that asks for a user name and password. */
const UNAUTHORIZED = 401;
/** Maximum number of requests that are remembered because a script of the page has set their credentials. */
const MAX_SET_BY_SCRIPT = 1_000;

type Headers = Readonly<Record<string, string>>;

export class HttpAuthentication {
  readonly #isRestored: (url: string) => boolean;
  /** For each host (with its port): the id of the last request to which the browser has added credentials. */
  readonly #requests = new Map<string, string>();
  /**
   * Ids of requests whose credentials a script of the page has set. In a restored session, the script can set them
   * again, so their hosts are not reported as hosts without credentials.
   */
  readonly #setByScript = new Set<string>();

  /**
   * @param isRestored returns whether a restored session has the credentials for an address again, because
   * its start options contain them
   */
  constructor(isRestored: (url: string) => boolean) {
    this.#isRestored = isRestored;
  }

  /** The hosts whose credentials a restored session lacks, such as `intranet.example.com:8080`. */
  get hosts(): readonly string[] {
    return [...this.#requests].flatMap(([host, id]) =>
      this.#setByScript.has(id) || this.#isRestored(`http://${host}/`) ? [] : [host],
    );
  }

  /** Starts to record a tab's page, or a frame with its own process. */
  follow(session: Session): void {
    session.also("Network.requestWillBeSent", ({ requestId, request: { url, headers } }) => {
      const host = hostWithPassword(url);
      if (host !== undefined) this.#requests.set(host, requestId);
      if (!SENT_BY_BROWSER.test(headerOf(headers, "authorization"))) return;
      if (this.#setByScript.size >= MAX_SET_BY_SCRIPT) this.#setByScript.clear();
      this.#setByScript.add(requestId);
    });
    // Only this event contains the `Authorization` header that the browser itself adds. Credentials in the
    // address of a request do not appear in it.
    session.also("Network.requestWillBeSentExtraInfo", ({ requestId, headers }) => {
      if (!SENT_BY_BROWSER.test(headerOf(headers, "authorization"))) return;
      const host = headerOf(headers, "host") || headerOf(headers, ":authority");
      if (host !== "" && !this.#setByScript.has(requestId)) this.#requests.set(host, requestId);
    });
    session.also("Network.responseReceivedExtraInfo", ({ requestId, statusCode }) => {
      if (statusCode !== UNAUTHORIZED) return;
      for (const [host, id] of this.#requests) if (id === requestId) this.#requests.delete(host);
    });
  }
}

/** Returns the host of an address with a user name or password in it, such as `http://ann:secret@example.com/`. */
export function hostWithPassword(address: string): string | undefined {
  if (!/^https?:\/\/[^/]*@/.test(address) || !URL.canParse(address)) return undefined;
  const { host, username, password } = new URL(address);
  return username + password === "" ? undefined : host;
}

function headerOf(headers: Headers, name: string): string {
  return Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1] ?? "";
}
