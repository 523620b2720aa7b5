/**
 * The SDK's engine for a database in this process. It also accepts requests that other threads have already
 * encoded as CBOR. Decoding them here would double the work of this thread, for which all other threads wait.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { NodeEngine } from "@surrealdb/node";
import { ConnectionUnavailableError, type DriverContext, parseRpcError, type RpcRequest } from "surrealdb";
import { storeLimits } from "../store-limits.ts";
import type { DiskSpaceGuard } from "./disk-space-guard.ts";

/** An encoded request. The engine adds an id to it, as to every request. */
interface RawRequest {
  readonly cairnBytes: Uint8Array;
}

/**
 * An encoded answer. The codec below wraps each answer in this class, and the caller of the engine decodes
 * it.
 */
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

/**
 * Matches keywords of database statements that may write. Before such a statement, the free disk space is
 * checked.
 */
const WRITING = /\b(?:BEGIN|INSERT|UPSERT|UPDATE|DELETE|CREATE|RELATE|DEFINE|REMOVE|LET)\b/;
/**
 * Number of bytes at the start of an encoded request in which the keyword of the statement is searched for.
 * They also contain the id of the request and the name of the method.
 */
const STATEMENT_START = 96;

export class EmbeddedEngine extends NodeEngine {
  readonly #codec: DriverContext["codecs"]["cbor"];
  readonly #space: DiskSpaceGuard | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  #closing = false;

  /** @param space checks the free disk space before each request that may write */
  constructor(context: DriverContext, space?: DiskSpaceGuard) {
    const codec = context.codecs.cbor;
    super({
      ...context,
      codecs: {
        ...context.codecs,
        cbor: {
          encode: (value: unknown) => (isRaw(value) ? value.cairnBytes : codec.encode(value)),
          // The cast is safe: only the methods `send` and `raw` of this class decode answers, and both expect
          // a `RawAnswer`.
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
    if (typeof statement === "string" && WRITING.test(statement.slice(0, STATEMENT_START)))
      this.#space?.check();
    const answer = await this.#sent(request);
    return decodeAnswer<Result>(this.#codec, (answer as RawAnswer).bytes);
  }

  /** Executes an encoded request and returns the encoded answer. */
  async raw(bytes: Uint8Array): Promise<Uint8Array> {
    if (WRITING.test(latin1.decode(bytes.subarray(0, STATEMENT_START)))) this.#space?.check();
    const request = { cairnBytes: bytes };
    // The cast is needed: the SDK's type only allows the SDK's own requests, but the codec above also encodes
    // this request.
    const answer = await this.#sent(request as unknown as RpcRequest);
    return (answer as RawAnswer).bytes;
  }

  /**
   * Waits for pending statements, because freeing the database during a statement panics in native code and
   * ends the process. If a statement does not finish in time, the database stays open until the process ends.
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

/** Returns the decoded answer of the database, or throws the error that the answer contains. */
export function decodeAnswer<Result>(codec: DriverContext["codecs"]["cbor"], bytes: Uint8Array): Result {
  const decoded = codec.decode<unknown>(bytes);
  if (typeof decoded === "object" && decoded !== null && "error" in decoded) {
    // An answer with `error` is an encoded failure. `parseRpcError` converts it to the SDK's error class.
    throw parseRpcError(decoded.error as Parameters<typeof parseRpcError>[0]);
  }
  return decoded as Result;
}
