/**
 * Formats the outcome of an action for a language model: whether it was done, its effect, what changed on the
 * page, and the code and candidates of a failure. Attributes and boxes of elements are only in the complete
 * outcome.
 */
import { z } from "zod";
import { oneLine, otherLines, ranges, withoutClosingTags } from "../../text-lines-for-language-model.ts";
import { extractedSchema } from "../outputs/extracted-content-schemas.ts";
import { extractText } from "../outputs/extracted-content-text.ts";

const ELEMENT_TEXT_MOST = 60;

interface Outcome {
  readonly success: boolean;
  readonly error?: string | null | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

const elementSchema = z.object({ tagName: z.string(), textContent: z.string().optional() });
/** The schema of a page change in the outcome of an action. */
const changeSchema = z.object({
  changed: z.number(),
  lines: z.string().optional(),
  removed: z.array(z.number()).optional(),
  covered: z.string().optional(),
  uncovered: z.string().optional(),
  said: z.array(z.string()).optional(),
  more: z.number().optional(),
  untold: z.boolean().optional(),
});
const pendingRequestsSchema = z.array(z.string()).min(1);
const candidatesSchema = z.array(z.object({ line: z.string() }));

/**
 * Fields of an action's outcome that are not listed, because the caller knows them or another line of the
 * text shows them.
 */
const SHOWN = new Set([
  "code",
  "effect",
  "element",
  "elementInfo",
  "page",
  "candidates",
  "changes",
  "elementFound",
  "elementStillExists",
  "box",
]);

const EFFECTS: Readonly<Record<string, string>> = {
  changed: "the page changed",
  state_changed: "the element changed",
  nothing_changed: "nothing changed",
  element_gone: "the element is gone",
  unknown: "effect unknown",
  form_refused: "the browser did not send the form, because fields are invalid",
};

/**
 * For each `effect` that leads to a page with a new address and title: the words for it in the text of the
 * outcome.
 */
const ARRIVALS: Readonly<Record<string, string>> = {
  navigated: "navigated",
  address_changed: "the address changed",
};
/** Maximum number of characters of the title of a new page. */
const TITLE_MOST = 100;

function doneLine({ effect, element, elementInfo, url, title }: Readonly<Record<string, unknown>>): string {
  const done = elementSchema.safeParse(element ?? elementInfo).data;
  const on = done ? ` <${done.tagName}>${oneLine(done.textContent ?? "", ELEMENT_TEXT_MOST)}` : "";
  const arrival = typeof effect === "string" ? ARRIVALS[effect] : undefined;
  if (arrival !== undefined) {
    const to = typeof url === "string" ? ` to ${url}` : "";
    const titled = typeof title === "string" ? ` "${oneLine(title, TITLE_MOST)}"` : "";
    return `Done${on}: ${arrival}${to}${titled}`;
  }
  const result = typeof effect === "string" ? `: ${EFFECTS[effect] ?? effect}` : "";
  return `Done${on}${result}`;
}

function changeLines(page: unknown): readonly string[] {
  const { data } = changeSchema.safeParse(page);
  if (!data) return [];
  const { lines, removed, covered, uncovered, said, more, untold } = data;
  return [
    ...(lines === undefined ? [] : [withoutClosingTags(lines)]),
    ...(removed === undefined ? [] : [`Gone: ${ranges(removed)}`]),
    ...(covered === undefined ? [] : [`Covered now: ${covered}`]),
    ...(uncovered === undefined ? [] : [`No longer covered: ${uncovered}`]),
    ...(said === undefined
      ? []
      : [`New text: ${said.map((text) => oneLine(text, text.length)).join(" | ")}`]),
    ...(more === undefined ? [] : [`${more} more changes: analyze_page with since_revision`]),
    ...(untold ? ["The page is too large to be compared: analyze_page with since_revision"] : []),
  ];
}

/** Fields of an outcome that only confirm that the request was done, so the text leaves them out. */
const DONE = new Set(
  "clicked typed submitted pressed hovered pasted copied cut saved reset closed dropped found selected".split(
    " ",
  ),
);

/**
 * Returns a line which says that the page may still change, and names the pending requests of the action. Returns no
 * line if none is pending.
 */
function pendingLines({ pending, pending_requests }: Readonly<Record<string, unknown>>): readonly string[] {
  const { data: named } = pendingRequestsSchema.safeParse(pending_requests);
  if (!named) return [];
  const more =
    typeof pending === "number" && pending > named.length ? ` and ${pending - named.length} more` : "";
  return [`The page may still change. It waits for: ${named.join(", ")}${more}`];
}

function furtherLines({ pending_requests, ...data }: Readonly<Record<string, unknown>>): readonly string[] {
  const further = Object.entries(data).filter(
    // The address and the title of a new page are left out, because the first line of the text already
    // contains them.
    ([name, value]) =>
      !(value === true && DONE.has(name)) &&
      !(name === "pending" && pending_requests !== undefined && typeof value === "number") &&
      !(/^(url|title)$/.test(name) && ARRIVALS[String(data.effect)] !== undefined),
  );
  return otherLines(Object.fromEntries(further), SHOWN);
}

/** Formats a failure as `code: message`, followed by the candidates. */
export function failureText(code: unknown, error: string | null | undefined): string {
  return [...(typeof code === "string" ? [code] : []), error ?? "The action failed."].join(": ");
}

export function actionText({ success, error, data = {} }: Outcome): string {
  if (!success) {
    const { data: candidates = [] } = candidatesSchema.safeParse(data.candidates);
    const { clicked: _clicked, index: _index, ...facts } = data;
    // An action with a single element has only one locator. The place of this locator in the parameters
    // (`index`) is left out, because it adds nothing.
    const { path, ...others } = facts;
    const rest = path === "index" ? others : facts;
    return [
      failureText(data.code, error),
      ...candidates.map(({ line }) => withoutClosingTags(line)),
      ...changeLines(data.page),
      ...furtherLines(rest),
    ].join("\n");
  }
  const extracted = extractedSchema.safeParse(data).data;
  if (extracted) return extractText(extracted);
  return [doneLine(data), ...changeLines(data.page), ...pendingLines(data), ...furtherLines(data)].join("\n");
}
