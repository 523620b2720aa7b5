/**
 * Shares a store across threads, because only one thread of one process may open an embedded database. In
 * other threads, the engine of the `Surreal` client sends encoded requests through a `StoreChannel`. The
 * thread with the database passes them to the embedded engine.
 */
import {
  type ConnectionState,
  ConnectionUnavailableError,
  type DriverContext,
  type EngineEvents,
  Features,
  type LiveMessage,
  Publisher,
  RpcEngine,
  type RpcRequest,
  Surreal,
  type SurrealEngine,
  UnsupportedFeatureError,
} from "surrealdb";
import { asCairnError, type CairnError, errorFromBody, Fenced, Unavailable } from "../../machines/errors.ts";
import { storeFailure } from "./convert-database-errors.ts";
import { decodeAnswer } from "./embedded-database-engine.ts";
import { FastCborCodec } from "./fast-cbor-codec.ts";
import { type Connection, DATABASE, NAMESPACE } from "./open-database.ts";

/** Sends an encoded request to the thread with the database, and returns the encoded answer. */
export interface StoreChannel {
  call(bytes: Uint8Array): Promise<Uint8Array>;
}

interface CairnErrorOnTheWire {
  readonly cairn: { readonly name: string; readonly status: number } & ReturnType<CairnError["toBody"]>;
}

/** Version of the embedded SurrealDB, in the form that the SDK expects. */
const ENGINE = "surrealdb-3.0.2";

class ServedEngine extends RpcEngine implements SurrealEngine {
  features = new Set([Features.Transactions]);
  readonly #channel: StoreChannel;
  readonly #publisher = new Publisher<EngineEvents>();

  constructor(context: DriverContext, channel: StoreChannel) {
    super(context);
    this.#channel = channel;
  }

  open(state: ConnectionState): void {
    this._state = state;
    this.#publisher.publish("connected");
  }

  async close(): Promise<void> {
    this._state = undefined;
    this.#publisher.publish("disconnected");
  }

  ready(): void {}

  /** Returns a constant. The client asks for the version before the thread with the database can answer. */
  override async version(): Promise<{ version: string }> {
    return { version: ENGINE };
  }

  /** Does nothing: the thread with the database has already selected namespace and database. */
  override async use(): Promise<Record<string, never>> {
    return {};
  }

  subscribe<K extends keyof EngineEvents>(
    event: K,
    listener: (...payload: EngineEvents[K]) => void,
  ): () => void {
    return this.#publisher.subscribe(event, listener);
  }

  override liveQuery(): AsyncIterable<LiveMessage> {
    throw new UnsupportedFeatureError(Features.LiveQueries);
  }

  override async send<Method extends string, Params extends unknown[] | undefined, Result>(
    request: RpcRequest<Method, Params>,
  ): Promise<Result> {
    if (!this._state) throw new ConnectionUnavailableError();
    const { cbor } = this._context.codecs;
    const answer = await this.#channel.call(cbor.encode({ id: this._context.uniqueId(), ...request }));
    if (answer[0] === CAIRN_MARK) throw cairnError(answer.subarray(1));
    return decodeAnswer<Result>(cbor, answer);
  }
}

/**
 * First byte of an encoded Cairn error. It is CBOR's "break" code, and no answer of the database starts with
 * it.
 */
const CAIRN_MARK = 0xff;

function cairnError(bytes: Uint8Array): CairnError {
  // The cast is safe: `encodeError` wrote the bytes, and all threads of a process run the same release.
  const { cairn } = JSON.parse(new TextDecoder().decode(bytes)) as CairnErrorOnTheWire;
  if (cairn.name === "Fenced") return new Fenced(cairn.code, cairn.message);
  return errorFromBody(cairn);
}

function encodeError(error: CairnError): Uint8Array {
  const wire: CairnErrorOnTheWire = { cairn: { ...error.toBody(), name: error.name, status: error.status } };
  const text = new TextEncoder().encode(JSON.stringify(wire));
  const bytes = new Uint8Array(text.length + 1);
  bytes[0] = CAIRN_MARK;
  bytes.set(text, 1);
  return bytes;
}

/**
 * Answers encoded requests in the thread with the database. It never rejects, because a failure becomes an
 * encoded answer.
 */
export function serveStore({
  client,
  place,
  embedded,
}: Connection): (bytes: Uint8Array) => Promise<Uint8Array> {
  return async (bytes) => {
    try {
      if (client.status !== "connected") {
        return encodeError(new Unavailable("store.unavailable", `${place} is closed.`));
      }
      if (embedded) return await embedded.raw(bytes);
      return encodeError(
        new Unavailable("store.not_served", `${place} is a server: every thread connects to it by itself.`),
      );
    } catch (error) {
      return encodeError(asCairnError(storeFailure(error, place)));
    }
  };
}

/** Connects to a store over a channel whose other end `serveStore` handles. */
export async function connectServed(
  channel: StoreChannel,
  place: string = "the store of this node",
): Promise<Connection> {
  const client = new Surreal({
    engines: { served: (context: DriverContext) => new ServedEngine(context, channel) },
    codecs: { cbor: (options) => new FastCborCodec(options) },
  });
  try {
    await client.connect("served://store", { namespace: NAMESPACE, database: DATABASE });
  } catch (error) {
    throw storeFailure(error, place);
  }
  const close = async () => {
    await client.close();
  };
  return { client, place, embedded: undefined, space: undefined, close };
}
