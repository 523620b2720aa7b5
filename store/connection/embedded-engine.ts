/**
 * The SDK's engine for a database in this process, with a way in for requests that are encoded already.
 *
 * Other threads send their requests as CBOR. Decoding and encoding them again here would double the work of the
 * one thread that everybody waits for, so `raw` hands the bytes to the native engine and its bytes back. The SDK
 * keeps the native engine private; what it lets us choose is the codec, which is where the bytes pass by.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { NodeEngine } from "@surrealdb/node";
import { ConnectionUnavailableError, type DriverContext, parseRpcError, type RpcRequest } from "surrealdb";
import { storeLimits } from "../limits.ts";
import type { FreeSpace } from "./free-space.ts";

/** A request as bytes, beside the id that the engine adds to every request. */
interface RawRequest {
  readonly cairnBytes: Uint8Array;
}

/** An answer as bytes: what our codec makes of every answer, to be decoded by whoever asked. */
class RawAnswer {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

const latin1 = new TextDecoder("latin1");

function isRaw(value: unknown): value is RawRequest {
  return typeof value === "object" && value !== null && "cairnBytes" in value;
}

/** Statements that write, as they begin. */
const WRITING = /\b(?:BEGIN|INSERT|UPSERT|UPDATE|DELETE|CREATE|RELATE|DEFINE|REMOVE|LET)\b/;
/** A request's statement stands at its beginning, after its id and the method's name. */
const BEGINNING = 96;

export class EmbeddedEngine extends NodeEngine {
  readonly #codec: DriverContext["codecs"]["cbor"];
  readonly #space: FreeSpace | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  #closing = false;

  /** `space`: asked before each request that may write. */
  constructor(context: DriverContext, space?: FreeSpace) {
    const codec = context.codecs.cbor;
    super({
      ...context,
      codecs: {
        ...context.codecs,
        cbor: {
          encode: (value: unknown) => (isRaw(value) ? value.cairnBytes : codec.encode(value)),
          // The type says that the caller knows what was encoded; only `send` and `raw` below ever call it.
          decode: <T>(bytes: Uint8Array) => new RawAnswer(bytes) as T,
        },
      },
    });
    this.#codec = codec;
    this.#space = space;
  }

  override async send<Method extends string, Params extends unknown[] | undefined, Result>(
    request: RpcRequest<Method, Params>,
  ): Promise<Result> {
    const statement: unknown = request.params?.[0];
    if (typeof statement === "string" && WRITING.test(statement.slice(0, BEGINNING))) this.#space?.check();
    const answer = await this.#sent(request);
    return decodeAnswer<Result>(this.#codec, (answer as RawAnswer).bytes);
  }

  /** An encoded request to its encoded answer. */
  async raw(bytes: Uint8Array): Promise<Uint8Array> {
    if (WRITING.test(latin1.decode(bytes.subarray(0, BEGINNING)))) this.#space?.check();
    const request = { cairnBytes: bytes };
    // Not an RpcRequest for the SDK's types: our codec above takes it as it is.
    const answer = await this.#sent(request as unknown as RpcRequest);
    return (answer as RawAnswer).bytes;
  }

  /**
   * Waits for what is under way: a database that is freed under a statement panics in native code, which ends the
   * whole process. One that does not come to its end is left as it is, for the end of the process.
   */
  override async close(): Promise<void> {
    this.#closing = true;
    const { closeWithin } = storeLimits;
    await Promise.race([Promise.allSettled(this.#underWay), sleep(closeWithin, undefined, { ref: false })]);
    if (this.#underWay.size === 0) await super.close();
  }

  async #sent<Method extends string, Params extends unknown[] | undefined>(
    request: RpcRequest<Method, Params>,
  ): Promise<unknown> {
    if (this.#closing) throw new ConnectionUnavailableError();
    const answer: Promise<unknown> = super.send(request);
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
    }
  }
}

/** What the database answered, or the error it told. */
export function decodeAnswer<Result>(codec: DriverContext["codecs"]["cbor"], bytes: Uint8Array): Result {
  const decoded = codec.decode<unknown>(bytes);
  if (typeof decoded === "object" && decoded !== null && "error" in decoded) {
    // An answer with `error` is the wire form of a failed call; the SDK makes its own class of it.
    throw parseRpcError(decoded.error as Parameters<typeof parseRpcError>[0]);
  }
  return decoded as Result;
}
