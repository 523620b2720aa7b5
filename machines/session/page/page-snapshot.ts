/**
 * The snapshot of a page for an agent: its segments and the elements for actions, as in the protocol
 * specification. The names of the specification are in camelCase, and additional fields are in snake_case.
 */
import { z } from "zod";
import { screenshotSchema } from "../outputs/screenshot-schemas.ts";
import { restoredSchema } from "../session-restore-report.ts";
import { loadingFields } from "./answer-fields-for-unsettled-page.ts";

const segmentTypeSchema = z.enum([
  "header",
  "nav",
  "main",
  "section",
  "article",
  "aside",
  "footer",
  "container",
]);
export type SegmentType = z.infer<typeof segmentTypeSchema>;

export const interactionTypeSchema = z.enum(["click", "input", "select", "submit", "navigate"]);
export type InteractionType = z.infer<typeof interactionTypeSchema>;

const segmentSchema = z.object({
  type: segmentTypeSchema,
  selector: z.string(),
  textContent: z.string().optional(),
  depth: z.number().int(),
  index: z.number().int().describe("By which the option segment names it"),
  frame: z.array(z.string()).describe("Selectors of the frames that lead to it; empty in the page itself"),
});
export type Segment = z.infer<typeof segmentSchema>;

const boxSchema = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .describe("CSS pixels from the top left of the page, however it is scrolled");
export type Box = z.infer<typeof boxSchema>;

const highlightedElementSchema = z.object({
  highlight_index: z.number().int().describe("For click_element_by_index; lives as long as the element"),
  tagName: z.string(),
  type: z.string(),
  interactionType: interactionTypeSchema,
  selector: z.string().describe("CSS; ` >>> ` leads into a shadow root"),
  xpath: z.string().describe("From html; the step #shadow-root stands for a shadow root"),
  textContent: z.string().optional(),
  icon: z
    .string()
    .optional()
    .describe("What the picture on it is called in the page's code, where nothing else names it"),
  value: z
    .string()
    .optional()
    .describe("Never of a password; of a native select its options' values, joined by a comma"),
  value_label: z.string().optional().describe("Of a native select: what it shows for its value"),
  placeholder: z.string().optional(),
  ariaLabel: z.string().optional(),
  role: z.string().optional(),
  disabled: z.boolean().optional(),
  hidden: z.boolean().optional().describe("Operable though it is not seen itself"),
  required: z.boolean().optional(),
  checked: z.boolean().optional(),
  mixed: z.boolean().optional().describe("Ticked in part"),
  selected: z.boolean().optional(),
  sorted: z.string().optional().describe("Of a column's head: ascending or descending"),
  current: z.boolean().optional().describe("The one of several alike that the page marks"),
  formId: z.string().optional(),
  formName: z.string().optional(),
  labelText: z.string().optional(),
  associatedLabels: z.array(z.string()).optional(),
  around: z
    .string()
    .optional()
    .describe("Words of the row or card that it stands in, where others are called the same"),
  row: z
    .string()
    .optional()
    .describe(
      "Words of its row, where it or another element of the row has a unique name. Lines leave it out",
    ),
  attributes: z.record(z.string(), z.string()),
  options: z.array(z.string()).optional().describe("Of a native select"),
  box: boxSchema,
  in_viewport: z.boolean(),
  covered: z.string().optional().describe("What lies over it, such as div#overlay"),
  new: z.boolean().optional().describe("Not in the revision before this one"),
  namesake: z
    .boolean()
    .optional()
    .describe(
      "Another element is called the same; told on pages of up to 100 elements, whose lines say which is which",
    ),
  frame: z.array(z.string()).describe("Selectors of the frames that lead to it; empty in the page itself"),
  segment: z.number().int().nullable().describe("index of the innermost segment that it is in"),
  scroll: z
    .object({ above: z.number(), below: z.number() })
    .optional()
    .describe("Pixels that it can be scrolled"),
});
export type HighlightedElement = z.infer<typeof highlightedElementSchema>;

const scrollSchema = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number().describe("Of the whole page"),
  height: z.number(),
  viewport_width: z.number(),
  viewport_height: z.number(),
  pixels_above: z.number(),
  pixels_below: z.number(),
});
export type PageScroll = z.infer<typeof scrollSchema>;

/** A line of the page's text that is not part of an element. */
export interface PageText {
  /** Position of the text on the page: the number of elements before it. */
  readonly at: number;
  readonly text: string;
  /** Level of a heading from 1 to 6; 0 for other text. */
  readonly level: number;
  /** True if all of the text belongs to controls that are inert because a modal dialog is open. */
  readonly isInert?: true;
}

/** A complete snapshot of a page: all its segments and elements. */
export interface PageAnalysis {
  /**
   * The revision of the page: a number that increases with every snapshot that differs from the previous one.
   */
  readonly revision: number;
  /** Id of the page's document. In a new document, the element indices start again. */
  readonly document: string;
  readonly url: string;
  readonly title: string;
  readonly ready_state: string;
  readonly scroll: PageScroll;
  readonly segments: readonly Segment[];
  readonly elements: readonly HighlightedElement[];
  readonly texts: readonly PageText[];
}

export const analyzeOptionsSchema = z.object({
  max_tokens: z
    .number()
    .int()
    .min(400)
    .optional()
    .describe("At least 400. The whole answer is not longer; what was left out is counted in omitted"),
  since_revision: z.number().int().min(0).optional().describe("Only what changed since that analysis"),
  segment: z
    .union([z.number().int().min(0), z.string().min(1)])
    .optional()
    .describe("Only what is in this segment: its index, selector or type"),
  query: z.string().min(1).optional().describe("Only elements in whose text or attributes all its words are"),
  viewport_only: z.boolean().default(false).describe("Only what is in the viewport"),
  include_left_out: z
    .boolean()
    .default(false)
    .describe("Also what could be acted on by what it is and is not told, with the reason, in left_out"),
  highlight: z
    .boolean()
    .default(false)
    .describe(
      "A screenshot with numbered boxes over the elements, in screenshot; max_tokens does not count it",
    ),
  overlay: z
    .boolean()
    .optional()
    .describe("true shows numbered boxes on the page itself until false takes them away, or it goes"),
  include_text: z.boolean().default(false).describe("The page's text between the elements, in text_content"),
});
export type AnalyzeOptions = z.output<typeof analyzeOptionsSchema>;

/** A request for a snapshot that Cairn's own code sends, with more options than a caller has. */
export interface AnalyzeRequest extends AnalyzeOptions {
  /**
   * True if the answer needs only one text line for each element. Other data is then not read, which saves
   * most of the time on large pages.
   */
  readonly lines_only?: boolean | undefined;
  /**
   * True if each element is returned with its place: the headings above it, the text before it, and the column of
   * its table.
   */
  readonly with_places?: boolean | undefined;
}

const leftOutSchema = z.object({
  tag: z.string(),
  selector: z.string(),
  text: z.string(),
  reason: z.enum([
    "not_rendered",
    "invisible",
    "transparent",
    "inert",
    "behind_dialog",
    "no_size",
    "out_of_reach",
    "hover_only",
    "part_of_another",
  ]),
  by: z.string().optional().describe("What is around it, or over it, by which it is so"),
  frame: z.array(z.string()).describe("Selectors of the frames that lead to it; empty in the page itself"),
});
export type LeftOut = z.infer<typeof leftOutSchema>;

const deltaSchema = z.object({
  since_revision: z.number().int(),
  removed: z.array(z.number().int()),
  added: z.array(z.number().int()).describe("In highlightedElements, with those that changed"),
  order: z.array(z.number().int()).optional().describe("All indices in their order, when that changed"),
  segments_changed: z.boolean().describe("False: segments is left empty, and they are as they were"),
});
export type DeltaPart = z.infer<typeof deltaSchema>;

export const analysisDataSchema = z.object({
  segments: z.array(segmentSchema),
  highlightedElements: z.array(highlightedElementSchema),
  totalElements: z.number().int(),
  clickableElementsString: z.string().describe("[index]<tag attributes>text</tag>; * before what is new"),
  revision: z.number().int(),
  url: z.string(),
  title: z.string(),
  scroll: scrollSchema,
  text_content: z.string().optional(),
  delta: deltaSchema.optional(),
  left_out: z
    .object({ elements: z.array(leftOutSchema), more: z.number().int().describe("That are not told") })
    .optional(),
  screenshot: screenshotSchema.optional(),
  restored: restoredSchema
    .optional()
    .describe("The session came back since it was asked last: indices of before are stale"),
  ...loadingFields,
  load_failed: z
    .string()
    .optional()
    .describe("Why the page could not be loaded: the elements are those of an error page, if there are any"),
  omitted: z
    .object({
      elements: z
        .number()
        .int()
        .describe("Not in clickableElementsString; name a segment or a query for them"),
      details: z.number().int().describe("In clickableElementsString, but not in highlightedElements"),
      segments: z.number().int(),
    })
    .optional()
    .describe("What max_tokens left out"),
});
export type AnalysisData = z.infer<typeof analysisDataSchema>;

export const analysisAnswerSchema = z.object({
  success: z.boolean(),
  data: analysisDataSchema.optional(),
  error: z.string().optional(),
  code: z.string().optional(),
});
