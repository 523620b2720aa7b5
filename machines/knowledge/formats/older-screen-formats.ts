/**
 * Converts screens in the older formats of the protocol specification to a map file. A screen that a browser
 * cannot recognise becomes documentation, for example if its pattern matches every URL.
 */
import { z } from "zod";
import { indicatorText } from "../screens/page-to-screen.ts";
import { slug } from "../screens/screen-id.ts";
import { tidy } from "../screens/screen-name-from-title.ts";
import { selectorOfXPath } from "./css-selector-of-xpath.ts";
import { describeAction } from "./map-actions-to-browser-actions.ts";
import type { MapFile } from "./map-file-schema.ts";

const text = z.string().max(20_000);

const documentIndicatorSchema = z.looseObject({
  type: text.optional(),
  value: text.optional(),
  pattern: text.optional(),
  selector: text.optional(),
  reason: text.optional(),
});

const toolName = z.string().min(1).max(100);
const toolParams = z.record(z.string(), z.unknown());

const documentScreenSchema = z.looseObject({
  screen_id: z.string().min(1).max(300),
  name: text,
  content_type: z.enum(["web_ui", "documentation", "video_transcript", "api_docs", "unknown"]).optional(),
  is_actionable: z.boolean().optional(),
  url_patterns: z.array(text).default([]),
  state_signature: z
    .looseObject({
      required_indicators: z.array(documentIndicatorSchema).default([]),
      optional_indicators: z.array(documentIndicatorSchema).default([]),
    })
    .optional(),
  available_browser_use_actions: z
    .array(
      z
        .looseObject({
          tool_name: toolName.optional(),
          tool: toolName.optional().describe("Alias of tool_name"),
          parameters: toolParams.optional(),
          params: toolParams.optional().describe("Alias of parameters"),
          description: text.default(""),
        })
        .refine(({ tool_name, tool }) => (tool_name ?? tool) !== undefined, {
          path: ["tool_name"],
          message: "tool_name is needed",
        }),
    )
    .default([]),
});
type DocumentScreen = z.output<typeof documentScreenSchema>;

/** The schema of a document that contains one screen or a list of screens. */
export const documentScreensSchema = z
  .union([z.strictObject({ screens: z.array(documentScreenSchema).min(1) }), documentScreenSchema])
  .describe("Screens in the formats of the protocol specification");
export type DocumentScreens = z.output<typeof documentScreensSchema>;

/** Maximum length of a screen's name in characters. A longer text is an instruction. */
const NAME_LENGTH = 80;
/**
 * A URL pattern that starts with a wildcard for any host identifies a screen only if it has more than this
 * number of characters. The value is from the protocol specification.
 */
const SPECIFIC_PATTERN = 10;

/**
 * Returns the given document as a map file. A document in an older format is converted from the screens that
 * it describes.
 */
export function readMap(given: MapFile | DocumentScreens): MapFile {
  // The cast is safe: only map files have the field `format`.
  return (given as MapFile).format === "cairn-map" ? (given as MapFile) : mapFileOf(given as DocumentScreens);
}

function mapFileOf(given: DocumentScreens): MapFile {
  // The cast is safe: only the first schema of the union has the field `screens`.
  const list = Array.isArray(given.screens)
    ? (given.screens as readonly DocumentScreen[])
    : [given as DocumentScreen];
  return {
    format: "cairn-map",
    version: 1,
    websites: [],
    screens: list.map(screenOf),
    actions: list.flatMap(actionsOf),
    transitions: [],
  };
}

function screenOf(screen: DocumentScreen): MapFile["screens"][number] {
  const url_patterns = screen.url_patterns.filter(isSpecific);
  const indicators = (list: readonly z.output<typeof documentIndicatorSchema>[] = []) =>
    list.flatMap(indicatorOf);
  const required = indicators(screen.state_signature?.required_indicators);
  const { content_type: given = "unknown" } = screen;
  // A screen without an address and without texts of elements cannot be recognised in a browser, so it counts as
  // documentation.
  const content_type = given === "unknown" ? guess(url_patterns, required.length) : given;
  return {
    screen_id: screen.screen_id,
    name: nameOf(screen.name),
    content_type,
    is_actionable: content_type === "web_ui" && (screen.is_actionable ?? true),
    url_patterns,
    state_signature: {
      required_indicators: required,
      optional_indicators: indicators(screen.state_signature?.optional_indicators),
    },
    breadcrumbs: [],
  };
}

function guess(patterns: readonly string[], indicators: number): "web_ui" | "documentation" {
  return patterns.length > 0 || indicators > 0 ? "web_ui" : "documentation";
}

function isSpecific(pattern: string): boolean {
  return !pattern.startsWith(".*/") || pattern.length > SPECIFIC_PATTERN;
}

type KnownIndicator = MapFile["screens"][number]["state_signature"]["required_indicators"][number];

function indicatorOf({
  value,
  pattern,
  selector,
  reason,
}: z.output<typeof documentIndicatorSchema>): readonly KnownIndicator[] {
  const about = { reason: reason ?? "Imported", ...(selector === undefined ? {} : { selector }) };
  if (pattern !== undefined && pattern !== "") {
    return isSpecific(pattern) ? [{ type: "url_matches", pattern, ...about }] : [];
  }
  const words = indicatorText(value ?? "");
  return words === undefined ? [] : [{ type: "dom_contains", value: words, ...about }];
}

/** Returns the name of a screen without markup, shortened to the first words if it is a long text. */
function nameOf(name: string): string {
  const plain = tidy(name.replace(/<[^>]*>/g, " "));
  if (plain.length <= NAME_LENGTH) return plain;
  const cut = plain.slice(0, NAME_LENGTH);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 1))} …`;
}

function actionsOf({ screen_id, available_browser_use_actions }: DocumentScreen): MapFile["actions"] {
  return available_browser_use_actions.map(({ description, ...action }, at) => {
    const tool = action.tool_name ?? action.tool ?? "";
    const given = action.parameters ?? action.params ?? {};
    const target = controlOf(given);
    // A description that Cairn has made from the name of the element is not kept. It is made again when the
    // map is read.
    const isMade =
      target !== null && target.name !== "" && description === describeAction(tool, { name: target.name });
    return {
      screen_id,
      action_id: `${screen_id}.${slug(`${tool} ${description}`).slice(0, 40)}_${at}`,
      action_type: tool,
      name: isMade ? target.name : description.slice(0, 4_000),
      ...parametersWithoutLocator(given),
      target,
    };
  });
}

/**
 * Returns the control of an action; `null` if the action has neither a selector nor an XPath that can be
 * converted to one. The name and the role of the control come from its fingerprint. The description of the
 * action is not used as a name.
 */
function controlOf({
  selector: given,
  xpath,
  fingerprint,
}: Readonly<Record<string, unknown>>): MapFile["actions"][number]["target"] {
  const isGiven = typeof given === "string" && given !== "";
  const selector = isGiven ? given : typeof xpath === "string" ? selectorOfXPath(xpath) : undefined;
  if (selector === undefined) return null;
  const described = fingerprintSchema.safeParse(fingerprint).data ?? {};
  const { role = "", name = "", tag, attributes = {}, alone } = described;
  return {
    role,
    name,
    selector: selector.slice(0, 4_000),
    xpath: typeof xpath === "string" ? xpath.slice(0, 4_000) : "",
    ...(alone === undefined ? {} : { alone }),
    attributes: { ...attributes, ...(tag === undefined ? {} : { tag }) },
  };
}

const fingerprintSchema = z.looseObject({
  role: text.optional(),
  name: text.optional(),
  tag: text.optional(),
  attributes: z.record(z.string(), text).optional(),
  alone: z.boolean().optional(),
});

/**
 * Returns the parameters of an action without those that find its element. The stored index of an element is
 * dropped: it was valid only on the page that was open when the action was stored.
 */
export function parametersWithoutLocator({
  index: _,
  selector: __,
  xpath: ___,
  fingerprint: ____,
  ...parameters
}: Readonly<Record<string, unknown>>): Pick<MapFile["actions"][number], "parameters"> {
  return Object.keys(parameters).length > 0 ? { parameters } : {};
}
