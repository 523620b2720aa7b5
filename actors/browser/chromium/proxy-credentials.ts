/**
 * Gives a session's context the credentials of its proxy with the first request that any of its pages makes.
 *
 * Chromium remembers them for the context. The requests of a new page are held up for the question only until it was
 * asked once; a page of its own for that (`proxy-login.ts`, for contexts whose pages must be as fast as can be) takes
 * longer than all the rest of a session's start. It listens in a conversation of its own with the page, beside whoever
 * else holds up requests there. Neighbour: `session/openings.ts` opens pages.
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

  /** Before a page makes its first request. */
  async offer(targetId: string): Promise<void> {
    if (this.#known) return;
    const { sessionId } = await this.#connection.root.send("Target.attachToTarget", {
      targetId,
      flatten: true,
    });
    const session = this.#connection.session(sessionId);
    this.#listening.add(session);
    // Refused when the page is closed meanwhile; then there is nothing to be asked.
    const answered = (answer: Promise<unknown>): Promise<unknown> => answer.catch(() => {});
    session.on("Fetch.requestPaused", ({ requestId }) => {
      void answered(session.send("Fetch.continueRequest", { requestId }));
    });
    session.on("Fetch.authRequired", ({ requestId, authChallenge, resourceType }) => {
      if (authChallenge.source !== "Proxy") {
        // The page's own affair: whoever else listens answers.
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
        // Nothing else is under way where a document is asked for; other pages may have been asked the same just now.
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
