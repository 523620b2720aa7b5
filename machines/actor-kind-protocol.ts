/**
 * The protocol of a kind of actor: a zod schema for each command and its reply, and for each query and its
 * result. It determines the types of `system.ask` and `system.query`, and senders use it to validate
 * commands.
 */
import { z } from "zod";

export interface CommandSchema {
  /** Schemas of the command's fields. The field `type` is not among them. */
  readonly fields: z.ZodType<object>;
  /** Schema of the machine's reply to the command. */
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

/** Declares the protocol of a kind. The function returns its argument and keeps the exact types. */
export function defineProtocol<const P extends KindProtocol>(protocol: P): P {
  return protocol;
}

/**
 * Returns a schema that accepts every value. It declares only the type of a value, and is for values that
 * Cairn's own code creates.
 */
export function typed<T>(): z.ZodType<T> {
  return z.custom<T>();
}

/** Schema of a command or query that has no fields. */
export const noFields: z.ZodType<object> = z.object({});
export const noParams = z.null();

/**
 * A command in the form in which the actor's state machine receives it: the type and the command's fields.
 */
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
