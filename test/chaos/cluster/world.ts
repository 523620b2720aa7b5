/**
 * The world in which acts are done: an HTTP server that counts them by their ids and takes its time with each.
 */
export class World {
  readonly counts = new Map<string, number>();
  /** Milliseconds that an act takes; the half of it before it counts. */
  pace = 20;
  /** Acts that were begun and are not answered. */
  underWay = 0;
  readonly #server: ReturnType<typeof Bun.serve>;

  constructor() {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        if (request.method === "GET") return new Response("ran");
        const id = await request.text();
        this.underWay += 1;
        await Bun.sleep(this.pace / 2);
        this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
        await Bun.sleep(this.pace / 2);
        this.underWay -= 1;
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
