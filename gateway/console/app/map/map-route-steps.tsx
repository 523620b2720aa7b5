/** Lists the actions of a route, or the actions of a screen. */
import type { AgentResponse } from "../../../../machines/knowledge/knowledge-protocol.ts";

interface RouteStepsProps {
  readonly answer: AgentResponse;
  /** Text that is shown when the list contains no action. */
  readonly none?: string;
}

export function RouteSteps({ answer, none = "You are there." }: RouteStepsProps) {
  return answer.actions.length === 0 ? (
    <p class="nothing">{none}</p>
  ) : (
    <ol class="route">
      {answer.actions.map((action, at) => (
        <li key={at}>
          {action.description} <span class="mono soft">{action.tool_name}</span>
        </li>
      ))}
    </ol>
  );
}
