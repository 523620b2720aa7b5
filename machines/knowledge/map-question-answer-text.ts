/** Formats the answer of a question to a map as text for a language model. */
import { oneLine } from "../text-lines-for-language-model.ts";
import type { AgentResponse } from "./knowledge-protocol.ts";
import { actionLine } from "./map-action-text.ts";
import type { QuestionAnswer } from "./map-question-schemas.ts";

/** Maximum number of steps of a task that the text lists in words. */
const STEPS_MOST = 20;
const STEP_LENGTH = 120;
/** Maximum number of passages in the text. */
const PASSAGES_MOST = 5;
/** Maximum length of a passage in the text, in characters. */
const SNIPPET_LENGTH = 160;

function taskLines({ actions, metadata }: AgentResponse, answer: string): readonly string[] {
  const name = typeof metadata.task_name === "string" ? metadata.task_name : undefined;
  const call = `instruction_type: execute_task${name === undefined ? "" : `, target: ${JSON.stringify(name)}`}`;
  const steps = actions.slice(0, STEPS_MOST).map(({ description }) => oneLine(description, STEP_LENGTH));
  // An answer that was made without a model already contains the steps of the task, so they are not listed a
  // second time.
  const isAnswered = steps.every((step) => answer.includes(step.replace(/…$/, "")));
  return [
    `Task: query_knowledge_for_agent with ${call} returns its actions.`,
    ...(isAnswered ? [] : steps.map((step, at) => `${at + 1}. ${step}`)),
  ];
}

function routeLines({ actions, expected_result: { screen_id }, metadata }: AgentResponse): readonly string[] {
  const { screen_name } = metadata;
  const named = typeof screen_name === "string" ? ` ${JSON.stringify(screen_name)}` : "";
  const screen = typeof screen_id === "string" ? ` ${screen_id}` : "";
  return [
    `Route to screen${screen}${named}:`,
    ...actions.map((action, at) => `${at + 1}. ${actionLine(action)}`),
  ];
}

export function questionLines({ answer, task, route, passages }: QuestionAnswer): readonly string[] {
  const others = passages.filter(({ snippet }) => !answer.includes(snippet)).slice(0, PASSAGES_MOST);
  return [
    answer,
    ...(task ? taskLines(task, answer) : []),
    ...(route ? routeLines(route) : []),
    ...(others.length > 0 ? ["Passages:"] : []),
    ...others.map(
      ({ kind, id, title, url, snippet }) =>
        `${title} | ${kind === "task" ? id : url} | ${oneLine(snippet, SNIPPET_LENGTH)}`,
    ),
  ];
}
