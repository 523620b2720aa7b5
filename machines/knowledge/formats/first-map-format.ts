/**
 * Reads maps in the first format of the protocol specification, in which screens were extracted from prose
 * and have no content type. They are converted to the current map file. Content types, indicators (texts that
 * identify a screen) and URL patterns are derived by the rules of the specification.
 */
import { z } from "zod";
import { describesScreen } from "../documents/passage-classification.ts";
import { indicatorText } from "../screens/page-to-screen.ts";
import { type MapFile, mapFileSchema } from "./map-file-schema.ts";
import { parametersWithoutLocator } from "./older-screen-formats.ts";

const text = z.string().max(20_000);
const indicatorSchema = z.looseObject({
  type: z.string().optional(),
  value: text.nullish(),
  pattern: text.nullish(),
  selector: text.nullish(),
  reason: text.nullish(),
});

export const firstFormatSchema = z.looseObject({
  website_id: z.string().optional(),
  screens: z.array(
    z.looseObject({
      screen_id: z.string().min(1).max(300),
      name: text,
      content_type: z.string().nullish(),
      is_actionable: z.boolean().nullish(),
      url_patterns: z.array(text).default([]),
      state_signature: z
        .looseObject({
          required_indicators: z.array(indicatorSchema).default([]),
          optional_indicators: z.array(indicatorSchema).default([]),
        })
        .prefault({}),
    }),
  ),
  actions: z
    .array(
      z.looseObject({
        action_id: z.string().min(1).max(300),
        action_type: z.string().min(1).max(100),
        name: text.default(""),
        target_selector: text.nullish(),
        parameters: z.record(z.string(), z.unknown()).nullish(),
        screen_ids: z.array(z.string()).default([]),
      }),
    )
    .default([]),
  transitions: z
    .array(
      z.looseObject({
        from_screen_id: z.string().min(1),
        to_screen_id: z.string().min(1),
        action_id: z.string().nullish(),
      }),
    )
    .default([]),
});
export type FirstFormat = z.output<typeof firstFormatSchema>;

/**
 * Matches URL patterns that identify no screen: they match every URL, or are only the name of an HTML
 * element.
 */
const GENERIC = /^(?:\^)?(?:\.\*)?\/?(?:\.\*|div|span|p|a|button|input|form)?(?:\/?\.\*)?\$?$/i;
/**
 * A URL pattern identifies a screen only if its path has at least this number of characters. The value is from
 * the protocol specification.
 */
const LEAST_PATH = 4;
const NAME = 120;

export function upgraded(file: FirstFormat): MapFile {
  const actions = new Map(file.actions.map((action) => [action.action_id, action]));
  return mapFileSchema.parse({
    format: "cairn-map",
    version: 1,
    screens: file.screens.map((screen) => upgradedScreen(screen, file.website_id)),
    actions: file.actions.flatMap(
      ({ action_id, action_type, name, target_selector, parameters, screen_ids }) =>
        screen_ids.map((screen_id) => ({
          screen_id,
          action_id: screen_ids.length > 1 ? `${screen_id}.${action_id}` : action_id,
          action_type,
          name: name.slice(0, NAME),
          target: target_selector ? { selector: target_selector } : null,
          ...parametersWithoutLocator(parameters ?? {}),
        })),
    ),
    transitions: file.transitions.map(({ from_screen_id, to_screen_id, action_id }) => {
      const action = actions.get(action_id ?? "");
      return {
        from: from_screen_id,
        to: to_screen_id,
        action: {
          action_type: "click",
          name: action?.name.slice(0, NAME) ?? "",
          target: action?.target_selector ? { name: action.name, selector: action.target_selector } : null,
        },
      };
    }),
  });
}

function upgradedScreen(screen: FirstFormat["screens"][number], website_id: string | undefined) {
  const name = plain(screen.name);
  const { required_indicators, optional_indicators } = screen.state_signature;
  const patterns = screen.url_patterns.filter(isSpecific);
  const said = [...required_indicators, ...optional_indicators].map(({ value }) => value ?? "").join("\n");
  const content_type = typeOf(screen.content_type, {
    name: screen.name,
    said,
    isAddressed: patterns.length > 0,
  });
  return {
    screen_id: screen.screen_id,
    ...(website_id === undefined ? {} : { website_id }),
    name: name.slice(0, NAME),
    content_type,
    is_actionable: content_type === "web_ui" && (screen.is_actionable ?? true),
    url_patterns: patterns,
    state_signature: {
      required_indicators: required_indicators.flatMap(upgradedIndicator),
      optional_indicators: optional_indicators.flatMap(upgradedIndicator),
    },
  };
}

/**
 * Returns the given content type of a screen. If none is given, the type is derived from the screen's text.
 * No task is executed on a screen of type `unknown`.
 */
function typeOf(
  given: string | null | undefined,
  {
    name,
    said,
    isAddressed,
  }: { readonly name: string; readonly said: string; readonly isAddressed: boolean },
): MapFile["screens"][number]["content_type"] {
  switch (given) {
    case "web_ui":
    case "documentation":
    case "video_transcript":
    case "api_docs":
      return given;
    default: {
      const isLong = said.split("\n").some((line) => line !== "" && indicatorText(line) === undefined);
      if (describesScreen(said, name) && isAddressed) return "web_ui";
      return isLong ? "documentation" : "unknown";
    }
  }
}

type Upgraded = MapFile["screens"][number]["state_signature"]["required_indicators"][number];

function upgradedIndicator(indicator: z.output<typeof indicatorSchema>): readonly Upgraded[] {
  const { value, pattern, selector, reason } = indicator;
  const why = reason ?? "UI element for screen recognition";
  if (pattern != null && isSpecific(pattern)) return [{ type: "url_matches", pattern, reason: why }];
  const shown = value == null ? undefined : indicatorText(value);
  if (shown === undefined) return [];
  return [{ type: "dom_contains", value: shown, ...(selector == null ? {} : { selector }), reason: why }];
}

function isSpecific(pattern: string): boolean {
  if (GENERIC.test(pattern)) return false;
  return pattern.replace(/[\\^$.*+?()[\]{}|]/g, "").length >= LEAST_PATH;
}

function plain(name: string): string {
  return name
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
