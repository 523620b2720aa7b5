/**
 * The protocol of a kind of actor: a zod schema for each command with its reply, and for each query with its
 * result. It types `system.ask` and `system.query`, and the sender validates commands with it.
 */
import { z } from "zod";

export interface CommandSchema {
  /** The fields of the command, except `type`. */
  readonly fields: z.ZodType<object>;
  /** The machine's reply. */
  readonly reply: z.ZodType;
}

export interface QuerySchema {
  readonly params: z.ZodType;
  readonly result: z.ZodType;
}

export interface KindProtocol {
  readonly commands: Readonly<Record<string, CommandSchema>>;
  readonly queries: Readonly<Record<string, QuerySchema>>;
}

/** Declares the protocol of a kind and keeps its exact types. */
export function defineProtocol<const P extends KindProtocol>(protocol: P): P {
  return protocol;
}

/**
 * A schema for a value that Cairn's own code creates, which needs no validation. Only its type is part of the
 * protocol.
 */
export function typed<T>(): z.ZodType<T> {
  return z.custom<T>();
}

/** The schema of a command or query without fields. */
export const noFields: z.ZodType<object> = z.object({});
export const noParams = z.null();

/** A command of the protocol, as its machine receives it. */
export type CommandOf<P extends KindProtocol, Type extends keyof P["commands"] = keyof P["commands"]> = {
  readonly [T in Type]: { readonly type: T } & Readonly<z.infer<P["commands"][T]["fields"]>>;
}[Type];

export type ReplyOf<P extends KindProtocol, Type extends keyof P["commands"]> = z.infer<
  P["commands"][Type]["reply"]
>;

export type QueryName<P extends KindProtocol> = keyof P["queries"] & string;
export type QueryParams<P extends KindProtocol, Name extends QueryName<P>> = z.infer<
  P["queries"][Name]["params"]
>;
export type QueryResult<P extends KindProtocol, Name extends QueryName<P>> = z.infer<
  P["queries"][Name]["result"]
>;
