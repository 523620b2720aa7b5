/**
 * The schema of a map as one JSON document, version 1. An import adds the document to a stored map, so a
 * large map may be sent in several documents.
 */
import { z } from "zod";
import { accountRoleSchema } from "../../exploration/exploration-protocol.ts";
import { contentTypes, transitionSources } from "../../records/map-records.ts";
import { UNNAMED_ROLE } from "../account-roles-that-see-controls.ts";
import { knowledgeLimits } from "../map-limits.ts";

const id = z.string().min(1).max(300);
const text = z.string().max(4_000);

const indicatorSchema = z.looseObject({
  type: z.enum(["dom_contains", "url_matches"]),
  value: text.optional(),
  pattern: text.optional(),
  selector: text.optional(),
  reason: text.default("Imported"),
});

/** Schema of the type `FieldConstraints`: which values a field of a form accepts. */
const constraintsSchema = z.object({
  required: z.literal(true).exactOptional(),
  has_value: z.literal(true).exactOptional().describe("The page gives the field a value"),
  multiple: z.literal(true).exactOptional(),
  pattern: text.exactOptional(),
  min: text.exactOptional(),
  max: text.exactOptional(),
  min_length: text.exactOptional(),
  max_length: text.exactOptional(),
  step: text.exactOptional(),
  accept: text.exactOptional(),
  options: z.array(text).exactOptional().describe("Texts of the options in a select list"),
  form: z.number().int().min(0).exactOptional().describe("Number of the field's form on the page, from 0"),
  group: text.exactOptional().describe("Name of the group of fields that contains the field"),
  position: z.number().int().min(1).exactOptional().describe("Position in the form, of a field without name"),
});

const controlSchema = z.object({
  role: text.default(""),
  name: text.default(""),
  selector: text.default(""),
  xpath: text.default(""),
  attributes: z.record(z.string(), text).default({}),
  alone: z.boolean().exactOptional(),
  constraints: constraintsSchema
    .exactOptional()
    .describe("Values that the field accepts, and where it is in its form"),
});

const screenSchema = z.object({
  screen_id: id,
  website_id: id.optional().describe("Default: the host of the address"),
  name: text,
  url: text.optional().describe("Default: what the first pattern says"),
  content_type: z.enum(contentTypes).default("web_ui"),
  is_actionable: z.boolean().default(true),
  url_patterns: z.array(text).default([]),
  state_signature: z
    .object({
      required_indicators: z.array(indicatorSchema).default([]),
      optional_indicators: z.array(indicatorSchema).default([]),
    })
    .default({ required_indicators: [], optional_indicators: [] }),
  breadcrumbs: z.array(z.object({ name: text, url: text.nullable() })).default([]),
  structure: z
    .string()
    .max(1_000)
    .optional()
    .describe("Sketch of the page's structure; empty for a page without structure. Default: unknown"),
  part_of: id
    .optional()
    .describe("Id of the page or state of which it only shows a part: its own id up to the last ~"),
});

const rolesSchema = z
  .array(z.union([accountRoleSchema, z.literal(UNNAMED_ROLE)]))
  .min(1)
  .transform((roles) => [...new Set(roles)].sort())
  .optional()
  .describe(
    'Roles of accounts for which it exists; "" stands for explorations without a role. Default: everybody',
  );

const actionSchema = z.object({
  screen_id: id,
  action_id: id,
  action_type: z.string().min(1).max(100),
  name: text.default(""),
  target: controlSchema.nullable().default(null),
  parameters: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe("Parameters beside the target, such as the direction of a scroll"),
  roles: rolesSchema,
});

const transitionSchema = z.object({
  from: id,
  to: id,
  via: id.optional().describe("Of a second way between two screens: what tells it from the first"),
  action: z.object({
    action_type: z.enum(["click", "hover", "redirect"]).default("click"),
    name: text.default(""),
    target: controlSchema.nullable().default(null),
    url: text.default(""),
  }),
  successes: z.number().int().min(0).default(0),
  failures: z.number().int().min(0).default(0),
  inferred: z.boolean().default(false),
  confidence: z.number().min(0).max(1).default(0.9),
  source: z.enum(transitionSources).default("ingested"),
  seen_at: z.number().optional(),
  roles: rolesSchema,
});

export const mapFileSchema = z.object({
  format: z.literal("cairn-map"),
  version: z.literal(1),
  knowledge_id: z.string().optional(),
  exported_at: z.string().optional(),
  websites: z.array(z.object({ website_id: id, base_url: text })).default([]),
  screens: z.array(screenSchema).max(knowledgeLimits.importedRows).default([]),
  actions: z.array(actionSchema).max(knowledgeLimits.importedRows).default([]),
  transitions: z.array(transitionSchema).max(knowledgeLimits.importedRows).default([]),
});
export type MapFile = z.output<typeof mapFileSchema>;
