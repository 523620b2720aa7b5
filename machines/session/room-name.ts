/** The name of a room in every request: `room_name`, or its alias `session_id`. */
import { z } from "zod";
import { addressLimits } from "../runtime/limits.ts";

/** The name is also an actor's id and has its maximum length. */
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

/** One of the two names is required. */
export interface RoomRef {
  readonly room_name?: string | undefined;
  readonly session_id?: string | undefined;
}

export function roomOf({ room_name, session_id }: RoomRef): string {
  return room_name ?? session_id ?? "";
}

const isNamed = (input: RoomRef): boolean => roomOf(input) !== "";
export const named = { path: ["room_name"], message: "room_name is needed" };

/** A request schema with these fields beside the room's name. */
export function roomRef<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .object({ ...room, ...shape })
    .strict()
    .refine((input) => isNamed(input as RoomRef), named); // The transform returns the shape that `room` declares.
}
