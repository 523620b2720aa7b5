/**
 * A hidden page at the origin of a site, by which Cairn reads and writes the site's storage. Cairn itself
 * answers all requests of the page, so nothing is requested from the site.
 */
import { lifecycleLimits } from "../../../../machines/session/session-limits.ts";
import type { Connection, Session } from "../../chromium/devtools-connection.ts";
import { Frames } from "../tabs/tab-frames.ts";

/**
 * Runs a function in the page. The function is sent as source text, so it can use only its arguments and the
 * page.
 */
export type RunInPage = <Args extends readonly unknown[], Result>(
  work: (...args: Args) => Result,
  ...args: Args
) => Promise<Awaited<Result>>;

const EMPTY = Buffer.from("<!doctype html>").toString("base64");

export class OriginPage {
  readonly #connection: Connection;
  readonly #targetId: string;
  readonly #session: Session;
  readonly #frames: Frames;
  #onNavigated: () => void = () => {};

  private constructor(connection: Connection, targetId: string, session: Session) {
    this.#connection = connection;
    this.#targetId = targetId;
    this.#session = session;
    const notify = (): void => this.#onNavigated();
    this.#frames = new Frames(connection, targetId, {
      navigated: notify,
      addressChanged: notify,
      arrived: () => {},
      followed: async () => {},
      passwordFormStopped: () => {},
    });
  }

  static async open(connection: Connection, targetId: string): Promise<OriginPage> {
    const { sessionId } = await connection.root.send("Target.attachToTarget", { targetId, flatten: true });
    const session = connection.session(sessionId);
    session.on("Fetch.requestPaused", ({ requestId }) => {
      const body = { requestId, responseCode: 200, body: EMPTY };
      const responseHeaders = [{ name: "content-type", value: "text/html" }];
      // The error is ignored: the page was closed in the meantime.
      session.send("Fetch.fulfillRequest", { ...body, responseHeaders }).catch(() => {});
    });
    const page = new OriginPage(connection, targetId, session);
    await Promise.all([
      page.#frames.follow(session),
      session.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }),
      // A service worker of the site could answer a request of this page in place of Cairn, so service
      // workers are bypassed.
      session
        .send("Network.enable")
        .then(() => session.send("Network.setBypassServiceWorker", { bypass: true })),
    ]);
    return page;
  }

  /**
   * Opens the origin in this hidden page, and calls `work`. Returns `undefined` when opening takes too long.
   */
  async runAt<Result>(
    origin: string,
    work: (run: RunInPage) => Promise<Result>,
  ): Promise<Result | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const arrived = new Promise<boolean>((resolve) => {
      this.#onNavigated = () => {
        if (this.#frames.main.url.startsWith(origin)) resolve(true);
      };
      timer = setTimeout(() => resolve(false), lifecycleLimits.originPageWithin);
    });
    try {
      await this.#session.send("Page.navigate", { url: `${origin}/` });
      if (!(await arrived)) return undefined;
      return await work((pageFunction, ...args) =>
        this.#frames.run(this.#frames.main, pageFunction, ...args),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#connection.drop(this.#session);
    // The error is ignored: the page may have been closed with its browser context.
    await this.#connection.root.send("Target.closeTarget", { targetId: this.#targetId }).catch(() => {});
  }
}
