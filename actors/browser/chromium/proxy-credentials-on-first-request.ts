/**
 * Gives a session's browser context the credentials of its proxy, during the first request of one of its
 * pages. Chromium stores the credentials for the whole context, so requests need to be intercepted only until
 * the proxy has requested the credentials once. This starts a session faster than loading a separate page for
 * it (`give-proxy-credentials-by-extra-request.ts`).
 */

import { browserLimits } from "../browser-limits.ts";
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

  /**
   * Prepares to send the proxy's credentials when the proxy requests them for a page. It must be called
   * before the page makes its first request.
   */
  async offer(targetId: string): Promise<void> {
    if (this.#known) return;
    const { sessionId } = await this.#connection.root.send("Target.attachToTarget", {
      targetId,
      flatten: true,
    });
    const session = this.#connection.session(sessionId);
    this.#listening.add(session);
    // Chromium rejects Cairn's answer to an intercepted request when the page was closed in the meantime. A
    // closed page needs no credentials, so the error is ignored.
    const answered = (answer: Promise<unknown>): Promise<unknown> => answer.catch(() => {});
    session.on("Fetch.requestPaused", ({ requestId }) => {
      void answered(session.send("Fetch.continueRequest", { requestId }));
    });
    session.on("Fetch.authRequired", ({ requestId, authChallenge, resourceType }) => {
      if (authChallenge.source !== "Proxy") {
        // A website has requested these credentials, not the proxy. With the response `Default`, another
        // listener of the session may answer.
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
        // The first request of a page loads its document. After it was answered with the credentials, the
        // requests of this page are no longer intercepted. Requests of other pages are intercepted for some
        // time longer, because the proxy may have requested the credentials for them at the same time.
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
    // The error is ignored: the protocol session may have ended with its page.
    await this.#connection.root.send("Target.detachFromTarget", { sessionId: session.id }).catch(() => {});
  }
}
