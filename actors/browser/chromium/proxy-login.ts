/**
 * Tells a context the credentials of its proxy, once: Chromium remembers them and sends them with every later request.
 *
 * The protocol gives credentials only to requests that it holds up for questions, and holding up every request of every
 * page would cost more than the requests. So one request is made for the purpose, to an address that no proxy of ours
 * connects to. Neighbour: `running.ts` calls it for each new context.
 */

import { browserLimits } from "../limits.ts";
import type { Connection } from "./devtools-connection.ts";
import type { BrowserProxy } from "./launch-chromium.ts";

/** Link-local, hence refused by the egress policy before anything is sent. */
const NOWHERE = "http://169.254.0.1/";

export async function logInToProxy(
  connection: Connection,
  contextId: string,
  proxy: BrowserProxy | undefined,
): Promise<void> {
  const { username, password } = proxy ?? {};
  if (username === undefined || password === undefined) return;
  const { root } = connection;
  const { targetId } = await root.send("Target.createTarget", {
    url: "about:blank",
    browserContextId: contextId,
  });
  const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: true });
  const session = connection.session(sessionId);
  // Refused when the page is closed meanwhile; then there is nothing to be asked.
  const answered = (answer: Promise<unknown>): void => void answer.catch(() => {});
  session.on("Fetch.requestPaused", ({ requestId }) =>
    answered(session.send("Fetch.continueRequest", { requestId })),
  );
  session.on("Fetch.authRequired", ({ requestId, authChallenge }) => {
    const ours = authChallenge.source === "Proxy";
    answered(
      session.send("Fetch.continueWithAuth", {
        requestId,
        authChallengeResponse: ours
          ? { response: "ProvideCredentials", username, password }
          : { response: "CancelAuth" },
      }),
    );
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, browserLimits.loginWithin);
  });
  try {
    await session.send("Fetch.enable", { handleAuthRequests: true });
    // That it fails is what it should do.
    await Promise.race([session.send("Page.navigate", { url: NOWHERE }), late]);
  } finally {
    clearTimeout(timer);
    connection.drop(session);
    await root.send("Target.closeTarget", { targetId });
  }
}
