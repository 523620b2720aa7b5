/** Schemas of the request and the result of a walk. A walk is the execution of a route in a session. */
import { z } from "zod";

/** An action of a session, in the form that `parseAction` returns. */
const actionSchema = z.object({
  name: z.string(),
  params: z.record(z.string(), z.unknown()),
  locators: z.record(z.string(), z.unknown()).optional(),
});

/** The object that a step removes. The confirmation and the evidence of the step must be about this object only. */
const removalSchema = z.object({
  /** The name of the object that the step removes. */
  name: z.string(),
  /** Stems of the words for the kind of the removed object, such as "voucher". */
  kinds: z.array(z.string()).readonly().optional(),
  /** The texts of the row of the removed object, or the name of the object's page. */
  object: z.string(),
  /** Names of other objects in the list of the removed object. A question that names one of them is not confirmed. */
  others: z.array(z.string()).readonly(),
  /** Whether the object to remove is in a row of a table or in an entry of a list. */
  is_row: z.boolean(),
  /** The address of the page with the control that removes the object. */
  page: z.string(),
  /** The address of the list in which the removed object must no longer be. */
  list: z.string().optional(),
  /** The presses that show the list of objects on its page, such as one that opens a drawer. */
  presses: z.array(actionSchema).readonly().optional(),
  /** Whether `presses` open a part of the page that contains the list of objects, such as a drawer. */
  in_part: z.boolean().optional(),
  /** XPath of the checkbox in the object's row, if the control that removes objects acts on the ticked rows. */
  tick: z.string().optional(),
  /** Whether the control that removes objects was disabled before the object's row was ticked. */
  was_disabled: z.boolean().optional(),
  /** A short hash of what the caller has approved to be removed with the object, as `consequencesKey` returns it. */
  approved_consequences: z.string().optional(),
});
export type Removal = z.infer<typeof removalSchema>;

export const walkRequestSchema = z.object({
  room_name: z.string(),
  knowledge_id: z.string(),
  target: z.string(),
  /**
   * The role of the account that is signed in to the session. The route uses only links and controls that
   * exist for this role.
   */
  role: z.string().optional(),
  /** A task to execute instead of a route. Its actions are executed in order. */
  task: z
    .array(
      z.object({
        description: z.string(),
        action: actionSchema,
        /** The object that the action removes. */
        removal: removalSchema.optional(),
      }),
    )
    .optional(),
  /**
   * Values for required fields of forms on the route, by name or label of the field. They are stored with the
   * walk's request.
   */
  parameters: z.record(z.string(), z.unknown()).optional(),
  /**
   * Identifies the question of a page that the caller has approved. It is a text such as `questionKey` returns it.
   */
  approved_question: z.string().optional(),
});
export type WalkRequest = z.infer<typeof walkRequestSchema>;

export const walkedStepSchema = z.object({
  description: z.string(),
  tool_name: z.string(),
  outcome: z.enum(["done", "failed", "surprise"]),
  /** Id of the screen that the session showed after the step of the route. */
  screen_id: z.string().nullable(),
  error: z.string().nullable(),
  /** The evidence that a form was sent, such as `request`: a request was answered. */
  evidence: z.string().optional(),
  /** The HTTP status of the request by which a form was sent. */
  http_status: z.number().int().optional(),
  /** The questions of the page that were confirmed while an object was removed. */
  confirmed: z.array(z.string()).readonly().optional(),
  /** What the application says that it also removes with the object. Present if the caller must approve this. */
  consequences: z.string().optional(),
  /** The question of the page that the step has answered with no, because the caller must first approve a yes. */
  question: z.string().optional(),
});
export type WalkedStep = z.infer<typeof walkedStepSchema>;

/** A required field for which a walk (the execution of a route) has no value. */
export const neededFieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  options: z.array(z.string()).readonly().optional(),
  /** The regular expression that the page states for the field's value. */
  pattern: z.string().optional(),
  /** An example of a harmless value, as an exploration would enter it into the field. */
  example: z.string().optional(),
});
export type NeededField = z.infer<typeof neededFieldSchema>;

export const walkStatusSchema = z.enum(["walking", "arrived", "failed", "cancelled"]);
export type WalkStatus = z.infer<typeof walkStatusSchema>;

export const walkResultSchema = z.object({
  walk_id: z.string(),
  status: walkStatusSchema,
  steps: z.array(walkedStepSchema),
  reroutes: z.number().int(),
  screen_id: z.string().nullable(),
  url: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Required fields for which the caller must give values. Absent when every required field has a value. */
  missing: z.array(neededFieldSchema).readonly().optional(),
});
export type WalkResult = z.infer<typeof walkResultSchema>;
