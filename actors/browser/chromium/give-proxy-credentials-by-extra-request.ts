/**
 * Gives a browser context the credentials of its proxy, which Chromium then sends with every later request.
 * The DevTools protocol accepts credentials only for intercepted requests, and intercepting all requests is
 * slow. So only one request is intercepted, to an address that Cairn's proxy always refuses.
 */

import { browserLimits } from "../browser-limits.ts";
import type { Connection } from "./devtools-connection.ts";
import type { BrowserProxy } from "./launch-chromium.ts";

/** A link-local address. The egress policy refuses it, so nothing is sent to it. */
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
  // Chromium rejects Cairn's answer to the intercepted request when the page was closed in the meantime. A
  // closed page needs no credentials, so the error is ignored.
  const answered = (answer: Promise<unknown>): void => void answer.catch(() => {});
  session.on("Fetch.requestPaused", ({ requestId }) =>
    answered(session.send("Fetch.continueRequest", { requestId })),
  );
  session.on("Fetch.authRequired", ({ requestId, authChallenge }) => {
    const isProxyChallenge = authChallenge.source === "Proxy";
    answered(
      session.send("Fetch.continueWithAuth", {
        requestId,
        authChallengeResponse: isProxyChallenge
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
    // The egress policy refuses this address, so the navigation always fails. The failure is ignored, because
    // only the sign-in to the proxy matters.
    await Promise.race([session.send("Page.navigate", { url: NOWHERE }), late]);
  } finally {
    clearTimeout(timer);
    connection.drop(session);
    await root.send("Target.closeTarget", { targetId });
  }
}
