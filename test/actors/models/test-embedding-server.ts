/**
 * An embedding server for tests with OpenAI's HTTP API. The vector of a text counts its words, and each word
 * belongs to one of a few hundred dimensions. Words that a test declares as synonyms belong to the same
 * dimension.
 */
const DIMENSIONS = 256;

export class EmbeddingServer {
  calls = 0;
  /** If set, the server answers every request with an error. */
  away = false;
  readonly #meaning: ReadonlyMap<string, string>;
  readonly #server = Bun.serve({ port: 0, fetch: (request) => this.#answer(request) });

  constructor(synonyms: Readonly<Record<string, string>> = {}) {
    this.#meaning = new Map(Object.entries(synonyms));
  }

  get settings() {
    return { secrets: [], openaiKey: "scripted", openaiUrl: `${this.#server.url.origin}/v1` };
  }

  stop(): void {
    this.#server.stop(true);
  }

  vectorOf(text: string): number[] {
    const vector = new Array<number>(DIMENSIONS).fill(0);
    for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
      const meant = (this.#meaning.get(word) ?? word).replace(/(?:ing|ed|s)$/, "");
      let hash = 7;
      for (const letter of meant) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003;
      const at = hash % DIMENSIONS;
      vector[at] = (vector[at] ?? 0) + 1;
    }
    // The first number is increased slightly. Otherwise an empty text would have the vector zero, which has no
    // direction.
    return vector.map((count, at) => Math.log1p(count) + (at === 0 ? 0.001 : 0));
  }

  async #answer(request: Request): Promise<Response> {
    if (!new URL(request.url).pathname.endsWith("/embeddings")) return Response.json({ data: [] });
    this.calls += 1;
    if (this.away) return Response.json({ error: { message: "away" } }, { status: 400 });
    const { input } = (await request.json()) as { input: string[] };
    const data = input.map((text, index) => ({ object: "embedding", index, embedding: this.vectorOf(text) }));
    return Response.json({
      object: "list",
      data,
      model: "scripted",
      usage: { prompt_tokens: 1, total_tokens: 1 },
    });
  }
}
