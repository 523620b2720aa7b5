/**
 * The side panel of a dialogue, by the protocol specification: questions with options, assumptions with a countdown,
 * the plan with its risks, the decision on a failed step, and the conversation.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { DialogueMessage, DialogueView, Incoming } from "../../../machines/dialogue/dialogue-schemas.ts";
import type { Plan, Question } from "../../../machines/dialogue/plan-schemas.ts";
import { path, post } from "./api-client.ts";
import { may } from "./host-page.ts";
import { ActionButton, Card, StateName } from "./parts.tsx";
import { useAction } from "./use-store.ts";

type Send = (message: Incoming, done?: string) => void;

const percent = (share: number): string => `${Math.round(share * 100)}%`;
const OTHER = "other";

interface PartProps {
  readonly dialogue: DialogueView;
  readonly send: Send;
  readonly isRunning: boolean;
}

function QuestionForm({
  question,
  send,
  isRunning,
}: {
  readonly question: Question;
  readonly send: Send;
  readonly isRunning: boolean;
}) {
  const { id, type, question: text, options } = question;
  const [chosen, setChosen] = useState(options[0]?.id ?? OTHER);
  const [words, setWords] = useState("");
  const answer = (given: string): void =>
    send({ action: "submitClarification", questionId: id, answer: given });
  if (type === "confirm") {
    return (
      <fieldset class="question">
        <legend>{text}</legend>
        <div class="answers">
          <ActionButton class="primary" disabled={isRunning} onClick={() => answer("yes")}>
            Yes
          </ActionButton>
          <ActionButton disabled={isRunning} onClick={() => answer("no")}>
            No
          </ActionButton>
        </div>
      </fieldset>
    );
  }
  const hasOptions = type === "option_select" && options.length > 0;
  const isFree = !hasOptions || chosen === OTHER;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        answer(isFree ? words.trim() : chosen);
      }}
    >
      <fieldset class="question">
        <legend>{text}</legend>
        {hasOptions && (
          <div class="options">
            {options.map((option) => (
              <label key={option.id}>
                <input
                  type="radio"
                  name={`question-${id}`}
                  checked={chosen === option.id}
                  onChange={() => setChosen(option.id)}
                />
                <span>{option.label}</span> <span class="soft">({percent(option.confidence)})</span>
              </label>
            ))}
            <label>
              <input
                type="radio"
                name={`question-${id}`}
                checked={chosen === OTHER}
                onChange={() => setChosen(OTHER)}
              />
              <span>Other (specify below)</span>
            </label>
          </div>
        )}
        <div class="answers">
          <input
            type="text"
            aria-label={hasOptions ? "Other answer" : "Answer"}
            value={words}
            required={isFree}
            disabled={!isFree}
            autocomplete="off"
            onInput={({ currentTarget }) => setWords(currentTarget.value)}
          />
          <button type="submit" class="primary" disabled={isRunning || !may("act")}>
            Submit
          </button>
        </div>
      </fieldset>
    </form>
  );
}

function Questions({ dialogue, send, isRunning }: PartProps) {
  const {
    clarificationRound: round,
    maxClarificationRounds: rounds,
    pendingQuestions,
  } = dialogue.dialogueState;
  return (
    <Card
      title={pendingQuestions.length === 1 ? "A question" : "Questions"}
      actions={
        <span class="soft">
          round {round} of {rounds}
        </span>
      }
    >
      {pendingQuestions.map((question) => (
        <QuestionForm key={`${round} ${question.id}`} question={question} send={send} isRunning={isRunning} />
      ))}
      {pendingQuestions.length === 0 && (
        <QuestionForm
          question={{
            id: "",
            type: "freeform",
            question: "What should be done? Say it in other words.",
            options: [],
          }}
          send={(message) =>
            send(message.action === "submitClarification" ? { ...message, questionId: undefined } : message)
          }
          isRunning={isRunning}
        />
      )}
      <ActionButton disabled={isRunning} onClick={() => send({ action: "cancel" })}>
        Cancel
      </ActionButton>
    </Card>
  );
}

/** The seconds until an announced plan runs, counted from its message. */
function useCountdown(announced: DialogueMessage | undefined): number {
  const delay = Number(announced?.autoExecuteDelay ?? 0);
  const begun = (announced?.timestamp ?? 0) * 1_000;
  const left = (): number => Math.max(0, Math.ceil((begun + delay - Date.now()) / 1_000));
  const [seconds, setSeconds] = useState(left);
  // Another announcement begins to count again.
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 250);
    return () => clearInterval(timer);
  }, [begun, delay]);
  return seconds;
}

function Assumptions({ dialogue, send, isRunning }: PartProps) {
  const announced = dialogue.conversationHistory.findLast(({ type }) => type === "assumeAnnounce");
  const seconds = useCountdown(announced);
  const [corrected, setCorrected] = useState<string>();
  const [value, setValue] = useState("");
  const { assumptions } = dialogue.dialogueState;
  return (
    <Card title="I'll proceed with these assumptions">
      <ul class="assumptions">
        {assumptions.map(({ field, assumedValue, confidence }) => (
          <li key={field}>
            <span>
              {field}: <b>“{assumedValue}”</b> <span class="soft">({percent(confidence)})</span>
            </span>
            {corrected === field && (
              <form
                class="inline"
                onSubmit={(event) => {
                  event.preventDefault();
                  send({ action: "correctAssumption", field, value });
                }}
              >
                <input
                  aria-label={`Another value for ${field}`}
                  value={value}
                  onInput={({ currentTarget }) => setValue(currentTarget.value)}
                />
                <button type="submit" disabled={isRunning || value.trim() === ""}>
                  Use it
                </button>
              </form>
            )}
            <ActionButton
              disabled={isRunning}
              onClick={() => setCorrected(corrected === field ? undefined : field)}
            >
              Change
            </ActionButton>
          </li>
        ))}
      </ul>
      <p class="countdown" role="timer">
        {seconds > 0 ? `Executing in ${seconds}s…` : "Executing…"}
      </p>
      <div class="answers">
        <ActionButton
          disabled={isRunning || assumptions.length === 0}
          onClick={() => send({ action: "correctAssumption", field: assumptions[0]?.field ?? "" })}
        >
          Correct
        </ActionButton>
        <ActionButton disabled={isRunning} onClick={() => send({ action: "cancel" })}>
          Cancel
        </ActionButton>
      </div>
    </Card>
  );
}

function Confidence({ plan }: { readonly plan: Plan }) {
  const { overall, intentClarity, targetMatch, valueConfidence } = plan.confidence;
  return (
    <details class="confidence">
      <summary>
        Confidence <b>{percent(overall)}</b>
      </summary>
      <dl>
        {(
          [
            ["Intent is clear", intentClarity, "0.3"],
            ["Targets match", targetMatch, "0.5"],
            ["Values are known", valueConfidence, "0.2"],
          ] as const
        ).map(([name, share, weight]) => (
          <div key={name}>
            <dt>
              {name} <span class="soft">× {weight}</span>
            </dt>
            <dd>
              <meter min={0} max={1} value={share} aria-label={name} /> {percent(share)}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function stepState(dialogue: DialogueView, at: number): string {
  const { completedSteps, failedSteps, currentStepIndex } = dialogue.executionState;
  if (completedSteps.includes(at)) return "done";
  const failed = failedSteps.findLast(({ stepIndex }) => stepIndex === at);
  if (failed?.resolution === "skipped") return "skipped";
  if (dialogue.status === "mid_exec_dialog" && currentStepIndex === at) return "failed";
  if (dialogue.status === "executing" && currentStepIndex === at) return "running";
  return "";
}

function Steps({
  dialogue,
  plan,
  send,
  isRunning,
  canEdit,
}: PartProps & { readonly plan: Plan; readonly canEdit: boolean }) {
  const [edited, setEdited] = useState<number>();
  const [value, setValue] = useState("");
  return (
    <ol class="steps">
      {plan.steps.map(({ action, description, target, value: given, risk, reversible, confidence }, at) => {
        const state = stepState(dialogue, at);
        return (
          <li key={`${at} ${description}`} class={state}>
            <div class="step-line">
              <span>
                {description} <span class="soft mono">{action}</span>
                {given !== null && <span class="soft"> “{given}”</span>}
              </span>
              <span class="badges">
                {risk === "high" && (
                  <span class="badge bad">{reversible ? "high risk" : "high risk, cannot be undone"}</span>
                )}
                <span class="soft">{percent(confidence)}</span>
                {state !== "" && <StateName state={state} />}
                {canEdit && (
                  <ActionButton
                    aria-expanded={edited === at}
                    disabled={isRunning}
                    onClick={() => {
                      setEdited(edited === at ? undefined : at);
                      setValue(given ?? target?.name ?? "");
                    }}
                  >
                    Edit
                  </ActionButton>
                )}
              </span>
            </div>
            {canEdit && edited === at && (
              <form
                class="inline"
                onSubmit={(event) => {
                  event.preventDefault();
                  const step =
                    given !== null
                      ? { value }
                      : { target: { role: target?.role ?? "", name: value }, targetId: null };
                  send(
                    { action: "editStep", planVersion: plan.version, stepIndex: at, step },
                    "The step is changed.",
                  );
                  setEdited(undefined);
                }}
              >
                <input
                  aria-label={given !== null ? "Value of the step" : "Element of the step"}
                  value={value}
                  onInput={({ currentTarget }) => setValue(currentTarget.value)}
                />
                <button type="submit" disabled={isRunning}>
                  Change the step
                </button>
              </form>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function PlanCard(props: PartProps & { readonly plan: Plan }) {
  const { dialogue, plan, send, isRunning } = props;
  const isWaiting = dialogue.status === "awaiting_approval";
  const { refineIteration, maxRefineIterations } = dialogue.dialogueState;
  return (
    <Card
      title={`Plan, version ${plan.version}`}
      actions={
        refineIteration > 0 && (
          <span class="soft">
            refined {refineIteration} of {maxRefineIterations}
          </span>
        )
      }
    >
      <p>{plan.summary}</p>
      <Steps {...props} canEdit={isWaiting} />
      {plan.risks.length > 0 && (
        <div class="note bad">
          <b>Risks</b>
          <ul>
            {plan.risks.map((risk) => (
              <li key={risk}>{risk}</li>
            ))}
          </ul>
        </div>
      )}
      <Confidence plan={plan} />
      {isWaiting && (
        <div class="answers">
          <ActionButton
            class="primary"
            disabled={isRunning || plan.steps.length === 0}
            onClick={() => send({ action: "approvePlan", planVersion: plan.version })}
          >
            Execute
          </ActionButton>
          <ActionButton
            disabled={isRunning}
            onClick={() => send({ action: "rejectPlan", planVersion: plan.version })}
          >
            Reject
          </ActionButton>
          <ActionButton disabled={isRunning} onClick={() => send({ action: "cancel" })}>
            Cancel
          </ActionButton>
        </div>
      )}
      {dialogue.status === "executing" && (
        <div class="answers">
          <ActionButton disabled={isRunning} onClick={() => send({ action: "pause" })}>
            Pause after this step
          </ActionButton>
          <ActionButton disabled={isRunning} onClick={() => send({ action: "cancel" })}>
            Cancel
          </ActionButton>
        </div>
      )}
    </Card>
  );
}

function Choice({
  name,
  reason,
  isRecommended,
  isDisabled,
  choose,
}: {
  readonly name: string;
  readonly reason: string;
  readonly isRecommended: boolean;
  readonly isDisabled: boolean;
  readonly choose: () => void;
}) {
  return (
    <li>
      <ActionButton class={isRecommended ? "primary" : ""} disabled={isDisabled} onClick={choose}>
        {name}
      </ActionButton>
      <span>
        {reason} {isRecommended && <span class="badge">recommended</span>}
      </span>
    </li>
  );
}

function FailedStep({ dialogue, send, isRunning }: PartProps) {
  const { failure } = dialogue;
  const last = dialogue.executionState.totalSteps - 1;
  const at = failure?.stepIndex ?? dialogue.executionState.currentStepIndex;
  const decide = (decision: "retry" | "skip" | "replan" | "abort") => (): void =>
    send({ action: "midExecDecision", decision });
  const recommended = failure?.recommendedAction;
  return (
    <Card title={failure ? `Step ${at + 1} failed` : `Paused before step ${at + 1}`} class="failed-step">
      {failure && (
        <>
          <p>
            {failure.error} <span class="mono soft">{failure.code}</span>
          </p>
          <p>
            <b>Cause:</b> {failure.cause}
          </p>
          {failure.mayHaveHappened && (
            <p class="note bad">The action was cut off and may have happened. A retry may do it twice.</p>
          )}
        </>
      )}
      <ul class="choices">
        <Choice
          name="Retry"
          reason={failure?.retryStrategy ?? (failure ? "Do the step again" : "Continue with this step")}
          isRecommended={recommended === "retry"}
          isDisabled={isRunning || failure?.canRetry === false}
          choose={decide("retry")}
        />
        <Choice
          name="Skip"
          reason={at < last ? `Continue to step ${at + 2}` : "End without this step"}
          isRecommended={recommended === "skip"}
          isDisabled={isRunning || failure?.canSkip === false}
          choose={decide("skip")}
        />
        <Choice
          name="Replan"
          reason="Create a new plan from here"
          isRecommended={recommended === "replan"}
          isDisabled={isRunning || failure?.canReplan === false}
          choose={decide("replan")}
        />
        <Choice
          name="Stop"
          reason="Cancel the task"
          isRecommended={recommended === "abort"}
          isDisabled={isRunning}
          choose={decide("abort")}
        />
      </ul>
    </Card>
  );
}

function NewTask({ dialogue, send, isRunning }: PartProps) {
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

/** The words of a message in the conversation; messages without any are left out. */
function wordsOf(message: DialogueMessage): ComponentChildren {
  const text = (field: string): string => {
    const value = message[field];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  switch (message.type) {
    case "stateChanged":
      return <span class="soft">{text("state").replaceAll("_", " ")}</span>;
    case "clarifyWithOptions":
      return text("question");
    case "assumeAnnounce":
      return "I announced my assumptions.";
    case "planReady":
      return `The plan, version ${text("planVersion") || "1"}, is ready.`;
    case "stepStarted":
      return `Step ${Number(message.stepIndex ?? 0) + 1} began.`;
    case "stepCompleted":
      return `Step ${Number(message.stepIndex ?? 0) + 1}: ${text("outcome")}.`;
    case "midExecDialog":
      return "A step failed; I need a decision.";
    case "selfRefineUpdate":
      return `Refined the plan, ${text("iteration")} of ${text("maxIterations")}: score ${text("previousScore")} → ${text("newScore")}.`;
    case "confidenceReport":
      return `Confidence ${percent(Number(message.overall ?? 0))}.`;
    case "taskCompleted":
      return "The task is done.";
    case "error":
      return <span class="bad">{text("error") || text("message")}</span>;
    default:
      return undefined;
  }
}

function Conversation({ dialogue }: { readonly dialogue: DialogueView }) {
  const list = useRef<HTMLOListElement>(null);
  const count = dialogue.conversationHistory.length;
  // A new message scrolls the list to its end.
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  return (
    <Card title="Conversation">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the list */}
      <ol class="conversation" ref={list} tabIndex={0} aria-label="Messages">
        {dialogue.task && (
          <li class="person">
            <span>{dialogue.task}</span>
          </li>
        )}
        {dialogue.conversationHistory.map((message) => {
          const words = wordsOf(message);
          return (
            words !== undefined && (
              <li key={message.seq}>
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
  const send: Send = (message, done) =>
    void run(() => post(`${path("/api/dialogues", dialogue_id)}/messages`, { message }), done).then(changed);
  const part = { dialogue, send, isRunning };
  const working = WORKING[status];
  return (
    <div class="dialogue">
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
    </div>
  );
}
