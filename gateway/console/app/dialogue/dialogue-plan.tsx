/**
 * Shows the plan of a dialogue: steps with states and risks, confidence, approval, and the decision about a
 * failed step.
 */
import { useState } from "preact/hooks";
import type { DialogueView } from "../../../../machines/dialogue/dialogue-schemas.ts";
import type { Plan } from "../../../../machines/dialogue/plan/plan-schemas.ts";
import { ActionButton, Card, StateName } from "../view-components.tsx";
import { type DialoguePartProps, percent } from "./dialogue-part-props.ts";

function Confidence({ plan }: { readonly plan: Plan }) {
  const { overall, breakdown } = plan.confidence;
  const { intentClarity, targetMatch, valueConfidence } = breakdown;
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
}: DialoguePartProps & { readonly plan: Plan; readonly canEdit: boolean }) {
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

export function PlanCard(props: DialoguePartProps & { readonly plan: Plan }) {
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

export function FailedStep({ dialogue, send, isRunning }: DialoguePartProps) {
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
