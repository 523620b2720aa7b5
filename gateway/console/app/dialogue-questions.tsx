/**
 * Shows the questions of a dialogue (options, free text, yes or no) and the assumptions that it announces.
 */
import { useEffect, useState } from "preact/hooks";
import type { HistoryEntry } from "../../../machines/dialogue/dialogue-schemas.ts";
import { dialogueLimits } from "../../../machines/dialogue/limits.ts";
import type { Question } from "../../../machines/dialogue/plan-schemas.ts";
import { type DialoguePartProps, percent, type SendAnswer } from "./dialogue-part-props.ts";
import { may } from "./host-page.ts";
import { ActionButton, Card } from "./view-parts.tsx";

const OTHER = "other";

function QuestionForm({
  question,
  send,
  isRunning,
}: {
  readonly question: Question;
  readonly send: SendAnswer;
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
          <ActionButton class="primary" disabled={isRunning} onClick={() => answer(options[0]?.id ?? "yes")}>
            Yes
          </ActionButton>
          <ActionButton disabled={isRunning} onClick={() => answer(options[1]?.id ?? "no")}>
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
                <span>{option.text}</span> <span class="soft">({percent(option.confidence)})</span>
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

export function Questions({ dialogue, send, isRunning }: DialoguePartProps) {
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
            allowFreeform: true,
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

/**
 * Returns the number of seconds until an announced plan runs. The countdown starts at the time of the
 * announcement.
 */
function useCountdown(announced: HistoryEntry | undefined): number {
  const delay = dialogueLimits.announce;
  const begun = (announced?.timestamp ?? 0) * 1_000;
  const left = (): number => Math.max(0, Math.ceil((begun + delay - Date.now()) / 1_000));
  const [seconds, setSeconds] = useState(left);
  // The effect runs again for a new announcement, and so restarts the countdown.
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 250);
    return () => clearInterval(timer);
  }, [begun, delay]);
  return seconds;
}

export function Assumptions({ dialogue, send, isRunning }: DialoguePartProps) {
  const announced = dialogue.conversationHistory.findLast(
    ({ messageType }) => messageType === "assumeAnnounce",
  );
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
                  send({ action: "correctAssumption", field, newValue: value });
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
