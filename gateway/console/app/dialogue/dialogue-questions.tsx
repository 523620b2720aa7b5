/**
 * Shows the questions of a dialogue (options, free text, yes or no) and the assumptions that it announces.
 */
import { useEffect, useState } from "preact/hooks";
import { dialogueLimits } from "../../../../machines/dialogue/dialogue-limits.ts";
import type { HistoryEntry } from "../../../../machines/dialogue/dialogue-schemas.ts";
import type { Question } from "../../../../machines/dialogue/plan/plan-schemas.ts";
import { REPHRASE } from "../../../../machines/dialogue/question-to-rephrase-task.ts";
import { may } from "../facts-in-console-document.ts";
import { ActionButton, Card } from "../view-components.tsx";
import { type DialoguePartProps, percent, type SendAnswer } from "./dialogue-part-props.ts";

const OTHER = "other";

/** The answer of the person to one question: the id of the chosen option, and the typed text. */
interface Entry {
  readonly chosen: string;
  readonly words: string;
}

const entryOf = ({ options }: Question): Entry => ({ chosen: options[0]?.id ?? OTHER, words: "" });

const isFree = ({ options }: Question, { chosen }: Entry): boolean =>
  options.length === 0 || chosen === OTHER;

function QuestionFields({
  question,
  entry,
  change,
}: {
  readonly question: Question;
  readonly entry: Entry;
  readonly change: (entry: Entry) => void;
}) {
  const { id, type, question: text, options } = question;
  const { chosen, words } = entry;
  const hasOptions = options.length > 0;
  const free = isFree(question, entry);
  const choice = (value: string, label: string, share?: string) => (
    <label key={value}>
      <input
        type="radio"
        name={`question-${id}`}
        checked={chosen === value}
        onChange={() => change({ ...entry, chosen: value })}
      />
      <span>{label}</span> {share && <span class="soft">({share})</span>}
    </label>
  );
  return (
    <fieldset class="question">
      <legend>{text}</legend>
      {hasOptions && (
        <div class="options">
          {options.map((option) =>
            choice(option.id, option.text, type === "confirm" ? undefined : percent(option.confidence)),
          )}
          {choice(OTHER, "Other (specify below)")}
        </div>
      )}
      <input
        type="text"
        aria-label={hasOptions ? "Other answer" : "Answer"}
        value={words}
        required={free}
        disabled={!free}
        autocomplete="off"
        onInput={({ currentTarget }) => change({ ...entry, words: currentTarget.value })}
      />
    </fieldset>
  );
}

const REPHRASE_QUESTION: Question = {
  id: "",
  type: "freeform",
  question: REPHRASE,
  options: [],
  allowFreeform: true,
};

/** A form with all questions that the dialogue asks at once. Their answers are sent together. */
function RoundForm({
  questions,
  send,
  isDisabled,
}: {
  readonly questions: readonly Question[];
  readonly send: SendAnswer;
  readonly isDisabled: boolean;
}) {
  const [entries, setEntries] = useState(questions.map(entryOf));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const answers = questions.map((question, at) => {
          const entry = entries[at] ?? entryOf(question);
          return {
            questionId: question.id,
            answer: isFree(question, entry) ? entry.words.trim() : entry.chosen,
          };
        });
        const [only] = answers;
        if (answers.length > 1 || !only) send({ action: "submitClarification", answers });
        else
          send({
            action: "submitClarification",
            answer: only.answer,
            ...(only.questionId === "" ? {} : { questionId: only.questionId }),
          });
      }}
    >
      {questions.map((question, at) => (
        <QuestionFields
          key={question.id}
          question={question}
          entry={entries[at] ?? entryOf(question)}
          change={(entry) => setEntries(entries.with(at, entry))}
        />
      ))}
      <div class="answers">
        <button type="submit" class="primary" disabled={isDisabled || !may("act")}>
          {questions.length > 1 ? "Submit all" : "Submit"}
        </button>
        <ActionButton disabled={isDisabled} onClick={() => send({ action: "cancel" })}>
          Cancel
        </ActionButton>
      </div>
    </form>
  );
}

export function Questions({ dialogue, send, isRunning }: DialoguePartProps) {
  const {
    clarificationRound: round,
    maxClarificationRounds: rounds,
    pendingQuestions,
  } = dialogue.dialogueState;
  const questions = pendingQuestions.length > 0 ? pendingQuestions : [REPHRASE_QUESTION];
  return (
    <Card
      title={questions.length === 1 ? "A question" : "Questions"}
      actions={
        <span class="soft">
          round {round} of {rounds}
        </span>
      }
    >
      <RoundForm
        key={`${round} ${questions.map(({ id }) => id).join(" ")}`}
        questions={questions}
        send={send}
        isDisabled={isRunning || !dialogue.inputEnabled}
      />
    </Card>
  );
}

/** Returns the number of seconds until an announced plan runs, counted from the announcement. */
function useCountdown(announced: HistoryEntry | undefined): number {
  const delay = dialogueLimits.announce;
  const begun = (announced?.timestamp ?? 0) * 1_000;
  const left = (): number => Math.max(0, Math.ceil((begun + delay - Date.now()) / 1_000));
  const [seconds, setSeconds] = useState(left);
  // React runs this effect again for each new announcement, so the countdown restarts.
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
