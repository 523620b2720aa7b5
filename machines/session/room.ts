/**
 * How a room is named in every request about it: `room_name`, or `session_id` by its other name.
 */
import { z } from "zod";
import { addressLimits } from "../runtime/limits.ts";

/** Also an actor's id, so it must not be longer than one. */
export const roomNameSchema = z
  .string()
  .min(1)
  .max(addressLimits.maxIdBytes)
  .refine((name) => new TextEncoder().encode(name).length <= addressLimits.maxIdBytes, {
    message: `at most ${addressLimits.maxIdBytes} bytes`,
  });

export const room = {
  room_name: roomNameSchema.optional().describe("LiveKit room name"),
  session_id: roomNameSchema.optional().describe("The same, by its other name"),
};

/** Of the two names of a room one is needed. */
export interface RoomRef {
  readonly room_name?: string | undefined;
  readonly session_id?: string | undefined;
}

export function roomOf({ room_name, session_id }: RoomRef): string {
  return room_name ?? session_id ?? "";
}

const isNamed = (input: RoomRef): boolean => roomOf(input) !== "";
export const named = { path: ["room_name"], message: "room_name is needed" };

/** The request about a room with these fields beside its name. */
export function roomRef<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .object({ ...room, ...shape })
    .strict()
    .refine((input) => isNamed(input as RoomRef), named); // As `room` has it.
}
