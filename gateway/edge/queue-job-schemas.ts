/**
 * Schemas of job data. The protocol specification defines two forms of a command: nested (the parameters are in
 * `params`) and flat (all fields are parameters).
 */
import { z } from "zod";
import { Refused } from "../../machines/errors.ts";
import { roomNameSchema } from "../../machines/session/session-name-in-request.ts";
import { whenHeldSchema } from "../../machines/session/session-protocol.ts";
import { parseArguments } from "../tools/define-tool.ts";

const rooms = { room_name: roomNameSchema.optional(), session_id: roomNameSchema.optional() };

/**
 * A command is either `{ action_type, params, session_id, room_name }` or flat, without `params`. In the flat
 * form, all other fields are the parameters, and the job's name is the action if there is no `action_type`.
 */
const commandSchema = z
  .looseObject({
    ...rooms,
    action_type: z.string().optional(),
    params: z.record(z.string(), z.unknown()).optional(),
    when_held: whenHeldSchema.optional(),
  })
  .refine(({ room_name, session_id }) => room_name !== undefined || session_id !== undefined, {
    path: ["room_name"],
    message: "room_name or session_id is needed",
  });

export interface BrowserCommand {
  readonly room_name: string;
  readonly action_type: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** What happens to the command while a person controls the browser: it waits, or it fails. */
  readonly when_held?: z.infer<typeof whenHeldSchema>;
}

/**
 * Parses a command. Throws `request.invalid` for other data. It also throws if a nested command has further fields
 * beside `params`: they may be parameters of the action in the wrong place, without which it could do something else.
 * `room_name` has priority over `session_id`.
 */
export function browserCommand(name: string, data: unknown): BrowserCommand {
  const { room_name, session_id, action_type, params, when_held, ...fields } = parseArguments(
    commandSchema,
    data,
  );
  const strays = Object.keys(fields);
  if (params !== undefined && strays.length > 0) {
    const names = strays.map((field) => field.slice(0, 100)).join(", ");
    throw new Refused(
      "request.invalid",
      `The job has fields beside params: ${names}. Put parameters of the action into params, and leave out the others.`,
      { status: 422 },
    );
  }
  return {
    room_name: room_name ?? session_id ?? "",
    action_type: action_type ?? name,
    params: params ?? fields,
    ...(when_held === undefined ? {} : { when_held }),
  };
}
