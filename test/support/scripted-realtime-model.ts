/**
 * A scripted model with the WebSocket interface of OpenAI's realtime models. It keeps the images that a client
 * sends, and calls a tool when the test wants it.
 */
import { Buffer } from "node:buffer";

interface Item {
  readonly type: string;
  readonly content?: readonly { readonly type: string; readonly image_url?: string }[];
  readonly output?: string;
}

interface ClientEvent {
  readonly type: string;
  readonly item?: Item;
  readonly session?: { readonly tools?: readonly { readonly name: string }[] };
  readonly response?: { readonly metadata?: unknown };
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export class RealtimeModel {
  /** The images that the client has sent, as JPEG files. */
  readonly images: Uint8Array[] = [];
  /** Names of the tools that the client offers. */
  tools: readonly string[] = [];
  /** The results that the client has sent for the model's tool call. */
  readonly results: string[] = [];
  readonly #server: ReturnType<typeof Bun.serve>;
  /** Sends an event to the client that has connected last. */
  #send: ((event: object) => void) | undefined;
  #ids = 0;

  constructor() {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request, server) =>
        server.upgrade(request, { data: undefined })
          ? undefined
          : new Response("no WebSocket", { status: 400 }),
      websocket: {
        maxPayloadLength: 64 * 2 ** 20,
        open: (socket) => {
          this.#send = (event) => socket.send(JSON.stringify(event));
        },
        message: (socket, text) => {
          for (const event of this.#answers(JSON.parse(String(text)))) socket.send(JSON.stringify(event));
        },
      },
    });
  }

  /** Base URL of this model, which a client gets as `OPENAI_BASE_URL`. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/v1`;
  }

  /** Sends the client a call of one of its tools, as a model does. */
  callTool({ name, arguments: given }: ToolCall): void {
    if (!this.#send) throw new Error("No client is connected to the model.");
    const call = {
      id: `item_${++this.#ids}`,
      type: "function_call",
      object: "realtime.item",
      status: "completed",
      call_id: `call_${this.#ids}`,
      name,
      arguments: JSON.stringify(given),
    };
    for (const event of this.#response([call], null)) this.#send(event);
  }

  async close(): Promise<void> {
    await this.#server.stop(true);
  }

  #answers({ type, item, session, response }: ClientEvent): readonly object[] {
    if (type === "session.update" && session?.tools) {
      this.tools = session.tools.map(({ name }) => name);
      return [];
    }
    if (type === "response.create") return this.#response([], response?.metadata);
    if (type !== "conversation.item.create" || !item) return [];
    if (item.type === "function_call_output") this.results.push(item.output ?? "");
    const added = [this.#event("conversation.item.added", { previous_item_id: null, item })];
    const images = (item.content ?? []).flatMap(({ image_url: url }) => (url ? [url] : []));
    this.images.push(...images.map((url) => Buffer.from(url.slice(url.indexOf(",") + 1), "base64")));
    return added;
  }

  /** Returns the events of the Realtime API that transmit a response with these output items. */
  #response(output: readonly { readonly id: string }[], metadata: unknown): readonly object[] {
    const response = { id: `response_${++this.#ids}`, object: "realtime.response", metadata, output: [] };
    const place = { response_id: response.id, output_index: 0 };
    return [
      this.#event("response.created", { response: { ...response, status: "in_progress" } }),
      ...output.flatMap((item) => [
        this.#event("response.output_item.added", { ...place, item }),
        this.#event("conversation.item.added", { previous_item_id: null, item }),
        this.#event("response.output_item.done", { ...place, item }),
      ]),
      this.#event("response.done", { response: { ...response, status: "completed", output } }),
    ];
  }

  #event(type: string, fields: object): object {
    return { type, event_id: `event_${++this.#ids}`, ...fields };
  }
}
