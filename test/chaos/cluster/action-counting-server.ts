/**
 * An HTTP server outside of the cluster on which the tested actors perform actions. It counts each action by
 * its id, and takes a fixed time for it.
 */
export class ActionServer {
  readonly counts = new Map<string, number>();
  /**
   * Duration of an action in milliseconds. The server counts an action when half of its duration has passed.
   */
  duration = 20;
  /** Number of actions that were requested and that the server has not answered yet. */
  running = 0;
  readonly #server: ReturnType<typeof Bun.serve>;

  constructor() {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        if (request.method === "GET") return new Response("ran");
        const id = await request.text();
        this.running += 1;
        await Bun.sleep(this.duration / 2);
        this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
        await Bun.sleep(this.duration / 2);
        this.running -= 1;
        return new Response("done");
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/`;
  }

  stop(): void {
    void this.#server.stop(true);
  }
}
