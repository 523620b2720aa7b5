/**
 * The side panel of a dialogue, as the protocol specification defines it: questions, assumptions, plan,
 * decisions and the conversation.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { DialogueView, HistoryEntry } from "../../../../machines/dialogue/dialogue-schemas.ts";
import { path, post } from "../console-api-client.ts";
import { may } from "../facts-in-console-document.ts";
import { focusRegion } from "../keep-keyboard-focus-in-console.ts";
import { useAction } from "../preact-store-hooks.ts";
import { Card, StateName } from "../view-components.tsx";
import type { DialoguePartProps, SendAnswer } from "./dialogue-part-props.ts";
import { FailedStep, PlanCard } from "./dialogue-plan.tsx";
import { Assumptions, Questions } from "./dialogue-questions.tsx";

function NewTask({ dialogue, send, isRunning }: DialoguePartProps) {
  const [task, setTask] = useState("");
  return (
    <Card title="Another task">
      <form
        class="answers"
        onSubmit={(event) => {
          event.preventDefault();
          send({ action: "startTask", task });
          setTask("");
        }}
      >
        <input
          type="text"
          aria-label="Task"
          required
          value={task}
          disabled={!dialogue.inputEnabled}
          onInput={({ currentTarget }) => setTask(currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={isRunning || !dialogue.inputEnabled || !may("act")}>
          Plan it
        </button>
      </form>
    </Card>
  );
}

/**
 * The labels of the dialogue's buttons, by the kind of message that each button sends. Such a message
 * contains no text, so the console shows the label.
 */
const PRESSED: Readonly<Record<string, string>> = {
  approvePlan: "Execute",
  rejectPlan: "Reject",
  pause: "Pause",
  cancel: "Cancel",
  retry: "Retry",
  skip: "Skip",
  replan: "Replan",
  abort: "Stop",
};

/** Returns the text of a message in the conversation; `undefined` for a message without text. */
function wordsOf({ role, messageType, content }: HistoryEntry): ComponentChildren {
  if (role === "user" && (content === messageType || messageType === "midExecDecision"))
    return PRESSED[content] ?? content;
  switch (messageType) {
    case "assumeAnnounce":
      return `I announced my assumptions: ${content}`;
    case "planReady":
      return `The plan is ready: ${content}`;
    case "midExecDialog":
      return `A step failed; I need a decision. ${content}`;
    case "selfRefineUpdate":
      return `I refined the plan. ${content}`;
    case "taskCompleted":
      return "The task is done.";
    case "error":
      return <span class="bad">{content}</span>;
    default:
      return content === "" ? undefined : content;
  }
}

function Conversation({ dialogue }: { readonly dialogue: DialogueView }) {
  const list = useRef<HTMLOListElement>(null);
  const { task, conversationHistory: history } = dialogue;
  const count = history.length;
  // The first message of a dialogue states the task. When the history reaches its maximum length, this
  // message is dropped, and the task is shown above the messages instead.
  const hasTask = history.some(({ role, content }) => role === "user" && content === task);
  // Scrolls the list to its end when a message is added.
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  return (
    <Card title="Conversation">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the list */}
      <ol class="conversation" ref={list} tabIndex={0} aria-label="Messages">
        {task && !hasTask && (
          <li class="person">
            <span>{task}</span>
          </li>
        )}
        {history.map((message, at) => {
          const words = wordsOf(message);
          return (
            words !== undefined && (
              <li key={`${message.timestamp} ${at}`} class={message.role === "user" ? "person" : undefined}>
                <time class="soft mono">
                  {new Date(message.timestamp * 1_000).toISOString().slice(11, 19)}
                </time>{" "}
                <span>{words}</span>
              </li>
            )
          );
        })}
      </ol>
    </Card>
  );
}

const WORKING: Readonly<Record<string, string>> = {
  planning: "Reading the page and making a plan…",
  refining: "Refining the plan with your answer…",
  replanning: "Making a new plan from here…",
};

export function DialoguePanel({
  dialogue,
  changed,
}: {
  readonly dialogue: DialogueView;
  readonly changed: () => void;
}) {
  const [isRunning, run] = useAction();
  const { dialogue_id, status, currentPlan: plan } = dialogue;
  const send: SendAnswer = (message, done) =>
    void run(() => post(`${path("/api/dialogues", dialogue_id)}/messages`, { message }), done).then(changed);
  const part = { dialogue, send, isRunning };
  const working = WORKING[status];
  const panel = useRef<HTMLElement>(null);
  // When the status changes, a card for the next decision may appear above the focused card. The focus moves
  // to the start of the panel, so that a keyboard user finds the new card.
  useEffect(() => {
    if (panel.current && document.activeElement?.matches(".dialogue section")) focusRegion(panel.current);
  }, [status]);
  return (
    <section class="dialogue" aria-label="Dialogue" ref={panel}>
      <p class="dialogue-state" role="status">
        <StateName state={status} id="state" />
        {working && <span>{working}</span>}
      </p>
      {status === "clarifying" && <Questions {...part} />}
      {status === "assume_announce" && <Assumptions {...part} />}
      {status === "mid_exec_dialog" && <FailedStep {...part} />}
      {dialogue.error && <p class="note bad">{dialogue.error}</p>}
      {plan && status !== "clarifying" && <PlanCard {...part} plan={plan} />}
      {["idle", "completed", "error"].includes(status) && <NewTask {...part} />}
      <Conversation dialogue={dialogue} />
    </section>
  );
}
