/**
 * A hidden page at the origin of a site, to read and write the site's storage. All its requests are answered
 * here, so nothing is requested from the site.
 */
import { lifecycleLimits } from "../../../../machines/session/limits.ts";
import type { Connection, Session } from "../../chromium/devtools-connection.ts";
import { Frames } from "../tabs/frames.ts";

/** Sends a function as source text to the page and runs it there. */
export type Run = <Args extends readonly unknown[], Result>(
  work: (...args: Args) => Result,
  ...args: Args
) => Promise<Awaited<Result>>;

const EMPTY = Buffer.from("<!doctype html>").toString("base64");

export class OriginPage {
  readonly #connection: Connection;
  readonly #targetId: string;
  readonly #session: Session;
  readonly #frames: Frames;
  #came: () => void = () => {};

  private constructor(connection: Connection, targetId: string, session: Session) {
    this.#connection = connection;
    this.#targetId = targetId;
    this.#session = session;
    const came = (): void => this.#came();
    this.#frames = new Frames(connection, targetId, {
      navigated: came,
      moved: came,
      arrived: () => {},
      followed: async () => {},
    });
  }

  static async open(connection: Connection, targetId: string): Promise<OriginPage> {
    const { sessionId } = await connection.root.send("Target.attachToTarget", { targetId, flatten: true });
    const session = connection.session(sessionId);
    session.on("Fetch.requestPaused", ({ requestId }) => {
      const body = { requestId, responseCode: 200, body: EMPTY };
      const responseHeaders = [{ name: "content-type", value: "text/html" }];
      // Rejected if the page is gone meanwhile.
      session.send("Fetch.fulfillRequest", { ...body, responseHeaders }).catch(() => {});
    });
    const standIn = new OriginPage(connection, targetId, session);
    await Promise.all([
      standIn.#frames.follow(session),
      session.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }),
      // Otherwise a service worker of the site could answer the request.
      session
        .send("Network.enable")
        .then(() => session.send("Network.setBypassServiceWorker", { bypass: true })),
    ]);
    return standIn;
  }

  /** Runs the work at an origin; `undefined` if the document does not load in time. */
  async at<Result>(origin: string, work: (run: Run) => Promise<Result>): Promise<Result | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const there = new Promise<boolean>((resolve) => {
      this.#came = () => {
        if (this.#frames.main.url.startsWith(origin)) resolve(true);
      };
      timer = setTimeout(() => resolve(false), lifecycleLimits.originPageWithin);
    });
    try {
      await this.#session.send("Page.navigate", { url: `${origin}/` });
      if (!(await there)) return undefined;
      return await work((what, ...args) => this.#frames.run(this.#frames.main, what, ...args));
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#connection.drop(this.#session);
    // The target may be gone with its context.
    await this.#connection.root.send("Target.closeTarget", { targetId: this.#targetId }).catch(() => {});
  }
}
