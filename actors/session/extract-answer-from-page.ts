/**
 * Extracts the data for a schema or the answer to a question. A model answers when one is configured;
 * otherwise the answer is taken from the structure of the page.
 */
import { Refused } from "../../machines/errors.ts";
import {
  answerFromStructure,
  answerInWords,
  type PageFacts,
} from "../../machines/reading/fill-json-schema-from-page.ts";
import type { Extracted } from "../../machines/session/outputs/extracted-content-schemas.ts";
import { extractLimits } from "../../machines/session/session-limits.ts";
import { type Models, type RefusedCompletion, renderPrompt } from "../models/index.ts";
import { type ReadPage, readLabelledValues, readTables } from "../reading/index.ts";

type Json = Readonly<Record<string, unknown>>;

interface ReadDocuments {
  readonly documents: readonly { readonly html: string }[];
  readonly pages: readonly ReadPage[];
  readonly url: string;
  readonly title: string;
}

interface Wanted {
  readonly schema: Json | undefined;
  readonly query: string | undefined;
}

/** The schema for the model's answer when the caller asks a question without a schema. */
const ANY_ANSWER: Json = {
  type: "object",
  properties: { answer: { type: ["string", "null"] }, quote: { type: ["string", "null"] } },
  required: ["answer", "quote"],
};

export async function wantedFrom(
  read: ReadDocuments,
  wanted: Wanted,
  models: Models,
): Promise<Pick<Extracted, "extracted" | "extracted_by">> {
  const asked = await askModel(read, wanted, models);
  if (asked.ok) return { extracted: asked.value, extracted_by: "model" };
  const structured = fromStructure(read, wanted);
  if (structured !== undefined) return { extracted: structured, extracted_by: "structure" };
  throw modelNeeded(wanted, asked);
}

async function askModel({ pages, url, title }: ReadDocuments, { schema, query }: Wanted, models: Models) {
  const prompt = await renderPrompt("extract", {
    url,
    title,
    wanted: query ?? "the fields of the schema",
  });
  const text = pages
    .map(({ content }) => content)
    .join("\n\n")
    .slice(0, extractLimits.modelCharacters);
  return await models.complete({
    tier: "strong",
    prompt: { ...prompt, untrusted: [{ label: url, text }] },
    schema: await schemaOf(schema ?? ANY_ANSWER),
    signal: AbortSignal.timeout(extractLimits.modelWithin),
  });
}

async function schemaOf(json: Json) {
  // zod is loaded only here, because most workers never extract data with a model.
  const { outputSchemaOf } = await import("../models/model-output-schema.ts");
  try {
    return outputSchemaOf(json);
  } catch (cause) {
    throw new Refused(
      "session.invalid_params",
      `schema is no JSON Schema that Cairn reads: ${String(cause)}`,
      {
        status: 422,
        details: { parameter: "schema" },
        cause,
      },
    );
  }
}

function fromStructure({ documents, pages }: ReadDocuments, { schema, query }: Wanted): unknown {
  const facts: PageFacts = {
    labelled: documents.flatMap(({ html }) => readLabelledValues(html)),
    tables: documents.flatMap(({ html }) => readTables(html)),
    objects: pages.flatMap(({ metadata }) => metadata.structured.json_ld.flatMap(objectsIn)),
  };
  if (schema) return answerFromStructure(schema, facts);
  return query === undefined ? undefined : answerInWords(query, facts);
}

/** Collects the objects of a JSON-LD value, including nested ones. */
function objectsIn(value: unknown): readonly Json[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== "object" || value === null) return [];
  // Arrays were handled above, so the value is an object and the cast is safe.
  return [value as Json, ...Object.values(value).flatMap(objectsIn)];
}

function modelNeeded({ schema }: Wanted, { reason, message }: RefusedCompletion): Refused {
  const named = schema === undefined ? "query" : "schema";
  const why = reason === "not_configured" ? "none is configured (OPENAI_API_KEY or GEMINI_API_KEY)" : message;
  return new Refused(
    "session.model_needed",
    `extract with this ${named} needs a model, and ${why}. Leave ${named} out for the content, links and tables of the page.`,
    { status: 422, details: { parameter: named, reason } },
  );
}
