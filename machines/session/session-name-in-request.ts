/** The name of a session in a request: `room_name`, or its alias `session_id`. */
import { z } from "zod";
import { addressLimits } from "../runtime/shared-runtime-limits.ts";

/** A room name is also the id of an actor, so it has the maximum length of such an id. */
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

/** A request must name its session by `room_name` or by `session_id`. */
export interface RoomRef {
  readonly room_name?: string | undefined;
  readonly session_id?: string | undefined;
}

export function roomOf({ room_name, session_id }: RoomRef): string {
  return room_name ?? session_id ?? "";
}

export const isNamed = (input: RoomRef): boolean => roomOf(input) !== "";
export const named = { path: ["room_name"], message: "room_name is needed" };

/** Builds a request schema from the given fields and the name of the session. */
export function roomRef<Shape extends z.ZodRawShape>(shape: Shape) {
  return (
    z
      .object({ ...room, ...shape })
      .strict()
      // The input has the fields that `room` declares, so the casts are safe.
      .refine((input) => isNamed(input as RoomRef), named)
  );
}
