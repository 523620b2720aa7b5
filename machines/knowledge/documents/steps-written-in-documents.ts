/**
 * Reads written steps as actions: "Click **Save**", "then we type the name into the Title field". It
 * recognises the verbs that English manuals and video narrators use. A sentence with another verb becomes a
 * step without an action.
 */

import { shortHash, slug } from "../screens/screen-id.ts";
import type {
  TaskAction,
  TaskDefinition,
  TaskOrigin,
  TaskStep,
  TaskVariable,
} from "../tasks/task-definition.ts";
import { documentLimits } from "./ingested-document-limits.ts";
import type { Passage } from "./split-passages.ts";

const VERBS: readonly (readonly [RegExp, string])[] = [
  [/^(?:navigate|go|browse|head|return|switch|move) (?:back |over )?(?:to|into)\b/i, "navigate"],
  [/^(?:open|visit)\b/i, "navigate"],
  [/^(?:click|press|tap|hit|push)(?: on)?\b/i, "click"],
  [/^(?:select|choose|pick)\b/i, "click"],
  [/^(?:check|tick|uncheck|untick|toggle|enable|disable)\b/i, "click"],
  [/^(?:type|enter|input|write|fill(?: in| out)?)\b/i, "type"],
  [/^(?:upload|attach)\b/i, "upload_file"],
  [/^(?:submit|save|confirm)\b/i, "click"],
  [/^scroll\b/i, "scroll"],
  [/^wait\b/i, "wait"],
];

/** Words that may stand before the verb of an instruction, such as "then" and "please". */
const LEAD =
  /^(?:(?:first|second|third|then|next|now|finally|after that|afterwards|and|so|also|please|just|simply|here|okay|ok|to begin|to start|from there)[,:]?\s+)*(?:(?:you|we|i|the user|users|he|she|they)(?:'ll|'re going to| will| can| should| must| have to| need to| want to| are going to| then| now)*\s+)?(?:let's |let us |going to |just |simply )?/i;

/**
 * Matches the end of a verb's object in an instruction. In "Type Ada into the field", the object "Ada" ends
 * before "into".
 */
const END =
  /\s+(?:on|in|at|to|from|of|and|then|so|with|for|when|which|that|where|by|again|until|once|after|before|as|under|below|above|you|we)\b|[.,;:!?(\n]/i;
const ARTICLE = /^(?:the|a|an|your|our|their|this|that|its|any|each|new)\s+/i;
const KIND =
  /\s+(?:button|link|tab|field|box|menu|menu item|page|screen|icon|option|checkbox|section|input|text box|drop-?down|dialog|form|item|panel|view)s?$/i;
const QUOTED =
  /\*\*(.+?)\*\*|["“]([^"”]{1,80})["”]|`([^`]{1,80})`|(?<![\w'])'([^']{1,80})'(?!\w)|\*([^*\s][^*]{0,79})\*/;

/** Returns the action that one written step describes. */
export function stepAction(sentence: string): TaskAction {
  const said = sentence.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "**$1**").trim();
  const plain = said.replace(LEAD, "");
  const none = { action_type: "unknown", target: "", parameters: {} };
  for (const [pattern, type] of VERBS) {
    const [verb] = pattern.exec(plain) ?? [];
    if (verb === undefined) continue;
    const rest = plain.slice(verb.length).trim();
    if (type === "type") return typed(rest);
    if (type === "scroll" || type === "wait") return { ...none, action_type: type };
    const address = /https?:\/\/[^\s)>\]"'`]+/.exec(rest)?.[0].replace(/[.,;]$/, "");
    if (type === "navigate" && address !== undefined)
      return { action_type: type, target: address, parameters: { url: address } };
    // In "Save your changes", the control is probably named "Save". So the target of the action is the verb
    // and not the object "your changes".
    const own = /^(?:submit|save|confirm)$/i.test(verb) ? verb : "";
    const target = objectOf(rest) || own;
    if (target === "" && type !== "upload_file") return none;
    return { action_type: type, target: own !== "" && !QUOTED.test(rest) ? own : target, parameters: {} };
  }
  return none;
}

/**
 * Converts an instruction with "type" to an action: "your name in the Title field" is the text to type and
 * the field.
 */
function typed(rest: string): TaskAction {
  const [, what = rest, where] = /^(.*?)\s+(?:in|into|in to|as|for|on)\s+(.+)$/i.exec(rest) ?? [];
  const value = quoted(what);
  const target = where === undefined ? objectOf(rest) : objectOf(where);
  return {
    action_type: "type",
    target: where === undefined && value !== undefined ? value : target,
    parameters: where !== undefined && value !== undefined ? { text: value } : {},
  };
}

function quoted(text: string): string | undefined {
  const match = QUOTED.exec(text);
  return match
    ?.slice(1)
    .find((group) => group !== undefined)
    ?.trim();
}

/** Returns the object of a verb without articles and without the kind of element, such as "button". */
function objectOf(text: string): string {
  const named = quoted(text);
  if (named !== undefined) return named.replace(KIND, "").trim();
  const before = ` ${text.replace(/^(?:on|to|into|in|over to|back to)\s+/i, "")}`;
  const end = END.exec(before.slice(1));
  const words = (end ? before.slice(1, 1 + end.index) : before.slice(1)).trim();
  return words.replace(ARTICLE, "").replace(KIND, "").trim().slice(0, 80);
}

interface Numbered {
  readonly heading: string;
  readonly items: string[];
}

const ITEM = /^\s{0,3}(\d{1,3})[.)]\s+(.*)$/;

/** Finds the numbered lists in a document that start at 1. Lines that continue an item belong to it. */
function numberedLists(passages: readonly Passage[]): readonly Numbered[] {
  const lists: Numbered[] = [];
  let open: Numbered | undefined;
  let before = "";
  for (const { headings, content } of passages) {
    const heading = headings.at(-1) ?? "";
    if (heading !== before) open = undefined;
    before = heading;
    let fenced = false;
    for (const line of content.split("\n")) {
      if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
      if (fenced) continue;
      const [, number, text = ""] = ITEM.exec(line) ?? [];
      if (number === undefined) {
        // A line without indentation ends the list, unless the line begins with a bullet. An indented line
        // continues the last item.
        if (/^\S/.test(line) && open && !/^[-*+]\s/.test(line)) open = undefined;
        else if (open && line.trim() !== "" && open.items.length > 0 && /^\s+[^\s*+-]/.test(line))
          open.items[open.items.length - 1] = `${open.items.at(-1) ?? ""} ${line.trim()}`;
        continue;
      }
      if (number === "1" || open === undefined) {
        open = number === "1" ? { heading, items: [] } : undefined;
        if (open) lists.push(open);
      }
      open?.items.push(text.trim());
    }
  }
  return lists;
}

/** A numbered list counts as a task only if at least this number of its steps have a recognised action. */
const LEAST_ACTIONS = 2;

export interface DescribedSource {
  readonly source_id: string;
  readonly title: string;
}

/** Returns the tasks that the numbered lists of a document describe. */
export function documentTasks(
  passages: readonly Passage[],
  source: DescribedSource,
): readonly TaskDefinition[] {
  return numberedLists(passages)
    .flatMap(({ heading, items }) => taskOf(items, heading || source.title, source, "document") ?? [])
    .slice(0, documentLimits.tasks);
}

/** Returns the actions that a video's speaker describes, as one task. */
export function narratedTask(
  sentences: readonly string[],
  source: DescribedSource,
): TaskDefinition | undefined {
  const done = sentences.filter((sentence) => stepAction(sentence).action_type !== "unknown");
  return taskOf(done, source.title, source, "video");
}

function taskOf(
  items: readonly string[],
  name: string,
  { source_id }: DescribedSource,
  origin: TaskOrigin,
): TaskDefinition | undefined {
  const steps = items
    .flatMap((item) => sentencesOf(item))
    .slice(0, documentLimits.steps)
    .map(
      (description, at): TaskStep => ({
        order: at + 1,
        action: stepAction(description),
        description: description.slice(0, documentLimits.step),
      }),
    );
  const known = steps.filter(({ action }) => action.action_type !== "unknown");
  if (known.length < LEAST_ACTIONS) return undefined;
  const mark = shortHash([source_id, name, ...items].join("\n"));
  return {
    task_id: `task_${slug(name).slice(0, 32)}_${mark}`,
    name,
    description: `${name}: ${steps.length} steps`,
    origin,
    source_id,
    steps,
    variables: variablesOf(steps),
    success_criteria: [`The last step is done: ${steps.at(-1)?.description ?? name}`],
  };
}

/**
 * Splits an item into its sentences if each sentence starts with an action. Otherwise the complete item is
 * one step.
 */
function sentencesOf(item: string): readonly string[] {
  const parts = item.split(
    /(?<=[.!])\s+(?=[A-Z*"“])|,?\s+(?:and then|then)\s+(?=[a-z])|\s+and\s+(?=(?:click|press|select|choose|type|enter|open|save|submit)\b)/,
  );
  const acting = parts.filter((part) => stepAction(part).action_type !== "unknown");
  return acting.length > 1 ? acting : [item.trim()];
}

/** Returns one variable of the task for each field into which its steps type a text. */
function variablesOf(steps: readonly TaskStep[]): readonly TaskVariable[] {
  const variables = new Map<string, TaskVariable>();
  for (const { action } of steps) {
    if (action.action_type !== "type" || action.target === "") continue;
    const name = slug(action.target);
    const { text } = action.parameters;
    variables.set(name, {
      name,
      label: action.target,
      type: "",
      required: true,
      ...(typeof text === "string" ? { example: text } : {}),
    });
  }
  return [...variables.values()];
}
