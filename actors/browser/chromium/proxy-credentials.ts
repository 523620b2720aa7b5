/**
 * Gives a session's context the credentials of its proxy with the first request of any of its pages.
 * Chromium remembers them for the context, so requests are intercepted only until the proxy asked once. A separate
 * page for that (`proxy-login.ts`) would take longer than the rest of a session's start.
 */

import { browserLimits } from "../limits.ts";
import type { Connection, Session } from "./devtools-connection.ts";
import type { BrowserProxy } from "./launch-chromium.ts";

export class ProxyCredentials {
  readonly #connection: Connection;
  readonly #proxy: BrowserProxy | undefined;
  readonly #listening = new Set<Session>();
  #known: boolean;

  constructor(connection: Connection, proxy: BrowserProxy | undefined) {
    this.#connection = connection;
    this.#proxy = proxy;
    this.#known = proxy?.username === undefined || proxy.password === undefined;
  }

  /** Call before a page makes its first request. */
  async offer(targetId: string): Promise<void> {
    if (this.#known) return;
    const { sessionId } = await this.#connection.root.send("Target.attachToTarget", {
      targetId,
      flatten: true,
    });
    const session = this.#connection.session(sessionId);
    this.#listening.add(session);
    // Rejected when the page is closed meanwhile; no credentials are needed then.
    const answered = (answer: Promise<unknown>): Promise<unknown> => answer.catch(() => {});
    session.on("Fetch.requestPaused", ({ requestId }) => {
      void answered(session.send("Fetch.continueRequest", { requestId }));
    });
    session.on("Fetch.authRequired", ({ requestId, authChallenge, resourceType }) => {
      if (authChallenge.source !== "Proxy") {
        // A challenge of the website itself: another listener answers it.
        const authChallengeResponse = { response: "Default" } as const;
        void answered(session.send("Fetch.continueWithAuth", { requestId, authChallengeResponse }));
        return;
      }
      const { username, password } = this.#proxy ?? {};
      const authChallengeResponse = {
        response: "ProvideCredentials",
        ...(username === undefined ? {} : { username }),
        ...(password === undefined ? {} : { password }),
      } as const;
      void answered(session.send("Fetch.continueWithAuth", { requestId, authChallengeResponse })).then(() => {
        // A document request is the only one of its page at that time; other pages may have been asked the
        // same just now.
        if (resourceType === "Document") void this.#leave(session);
        if (!this.#known) setTimeout(() => this.#leaveAll(), browserLimits.loginLingers).unref();
        this.#known = true;
      });
    });
    await session.send("Fetch.enable", { handleAuthRequests: true });
  }

  #leaveAll(): void {
    for (const session of [...this.#listening]) void this.#leave(session);
  }

  async #leave(session: Session): Promise<void> {
    if (!this.#listening.delete(session)) return;
    this.#connection.drop(session);
    // It may be gone with its page.
    await this.#connection.root.send("Target.detachFromTarget", { sessionId: session.id }).catch(() => {});
  }
}
