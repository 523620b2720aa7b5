/**
 * Schemas of the runtime's administration: actors, dead letters (messages that actors could not handle) and nodes.
 * Secrets in the returned values are already masked (`inspection/mask-secrets-for-inspection.ts`).
 */
import { z } from "zod";
import { listLimits } from "./shared-runtime-limits.ts";

const moment = z.string().describe("ISO 8601");
const parkedSchema = z.object({
  code: z.string(),
  message: z.string(),
  at: moment,
});

const pageSize = z.coerce
  .number()
  .int()
  .min(1)
  .max(listLimits.maxSize)
  .default(listLimits.defaultSize)
  .describe("Entries of this answer, at most");
const cursor = z.string().min(1).optional().describe("next_cursor of the answer before");
const nextCursor = z.string().nullable().describe("Where the next answer begins; null after the last");

export const actorRefSchema = z.object({
  kind: z.string().min(1).describe("Kind of actor, such as exploration"),
  id: z.string().min(1).describe("The actor's id, such as a job_id"),
});

export const listActorsSchema = z.object({
  kind: z.string().min(1).optional().describe("Only actors of this kind"),
  state: z
    .string()
    .min(1)
    .optional()
    .describe("Only actors in this state or one within it: active stands for active.queued too; parked"),
  order: z
    .enum(["id", "updated"])
    .optional()
    .describe("id (default): by kind and id, in pages; updated: the last changed first, one page, no cursor"),
  limit: pageSize,
  cursor,
});

export const actorHeadSchema = actorRefSchema.extend({
  state: z.string().describe("Name of its state (active.queued), or parked when it is out of service"),
  version: z.number().int().describe("Of the machine that stored it"),
  shard: z.number().int(),
  wake_at: moment.nullable().describe("When it wants to be active again; null: only when somebody asks"),
  updated_at: moment,
});
export const actorListSchema = z.object({ actors: z.array(actorHeadSchema), next_cursor: nextCursor });
export type ActorList = z.infer<typeof actorListSchema>;
export type ListActors = z.output<typeof listActorsSchema>;

export const actorDetailSchema = actorRefSchema.extend({
  machine: z.object({ id: z.string(), version: z.number().int() }),
  state: z.string(),
  value: z.unknown().describe("The state as XState gives it"),
  status: z.string().describe("active, or done when its machine has ended"),
  context: z.unknown().describe("Bounded, and without secrets"),
  parked: parkedSchema.nullable().describe("Why it is out of service; a replay or an unpark brings it back"),
  shard: z.number().int(),
  owner: z.string().describe("The worker that hosts it, in its present life"),
  fence: z.number().int(),
  mailbox: z.object({
    waiting: z.number().int().describe("Commands and events that wait in its owner's memory"),
    capacity: z.number().int().describe("More waiting commands than this are refused as actor.mailbox_full"),
  }),
  timers: z.array(z.object({ id: z.string(), event: z.string(), due: moment })),
  effects: z.array(z.object({ id: z.string(), src: z.string(), run: z.number().int() })),
  outbox: z.array(z.object({ seq: z.number().int(), to: z.string(), event: z.string() })),
  last_events: z
    .array(
      z.object({
        at: moment,
        type: z.string(),
        source: z.string().describe("caller, an actor, effect <id>, timer <id>"),
        command_id: z.string().nullable(),
        outcome: z.string().describe("ok, stale, or the code it was refused or failed with"),
        state: z.string().describe("The state after it"),
      }),
    )
    .describe("Since it was last loaded into memory, the oldest first"),
});
export type ActorDetail = z.infer<typeof actorDetailSchema>;

export const sendCommandSchema = actorRefSchema.extend({
  type: z
    .string()
    .min(1)
    .max(100)
    .describe("A command of the kind's protocol; GET /api/machines/{kind} lists them"),
  fields: z.record(z.string(), z.unknown()).default({}).describe("The command's fields, by its schema"),
});
export type SendCommand = z.output<typeof sendCommandSchema>;
export const commandSentSchema = actorRefSchema.extend({
  command: z.string(),
  reply: z.unknown().describe("The machine's reply, without secrets"),
});
export type CommandSent = z.infer<typeof commandSentSchema>;

export const unparkedSchema = actorRefSchema.extend({
  state: z.string(),
  unparked: z.boolean().describe("False: it was in service already"),
});
export type Unparked = z.infer<typeof unparkedSchema>;

export const listDeadLettersSchema = z.object({ limit: pageSize, cursor });
export type ListDeadLetters = z.output<typeof listDeadLettersSchema>;

export const deadLetterSchema = z.object({
  id: z.string(),
  kind: z.string(),
  actor_id: z.string(),
  item: z.enum(["command", "effect", "notify", "timer", "sent", "unreadable"]).describe("What it was"),
  command_id: z.string().nullable(),
  message: z.unknown().describe("As it was delivered; bounded, and without secrets"),
  error: z.object({ code: z.string(), message: z.string() }),
  attempts: z.number().int(),
  at: moment,
});
export type DeadLetter = z.infer<typeof deadLetterSchema>;
export const deadLettersSchema = z.object({
  dead_letters: z.array(deadLetterSchema).describe("The oldest first"),
  next_cursor: nextCursor,
});
export type DeadLetters = z.infer<typeof deadLettersSchema>;

export const deadLetterRefSchema = z.object({ id: z.string().min(1).describe("The dead letter's id") });

export const replayedSchema = z.object({
  id: z.string(),
  kind: z.string(),
  actor_id: z.string(),
  state: z.string().describe("The actor's state after it"),
  unparked: z.boolean().describe("The actor was out of service and is back"),
  outcome: z
    .object({
      ok: z.boolean(),
      result: z.unknown().optional(),
      error: z.object({ code: z.string(), message: z.string() }).optional(),
    })
    .nullable()
    .describe("What the command was answered; null when it was no command: its actor does its work again"),
});
export type Replayed = z.infer<typeof replayedSchema>;

export const discardedSchema = z.object({ id: z.string(), discarded: z.literal(true) });
export type Discarded = z.infer<typeof discardedSchema>;

export const nodesSchema = z.object({
  nodes: z.array(
    z.object({
      name: z.string(),
      self: z.boolean().describe("The node that answers"),
      version: z.string(),
      roles: z.array(z.string()),
      since: moment,
      shards: z.number().int().describe("How many it owns"),
      workers: z.array(
        z.object({
          name: z.string(),
          ready: z.boolean(),
          starts: z.number().int().describe("How often it was started; more than 1 after crashes"),
          shards: z.array(z.number().int()),
          actors: z.number().int().describe("In memory"),
        }),
      ),
    }),
  ),
});
export type Nodes = z.infer<typeof nodesSchema>;
