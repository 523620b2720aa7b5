/** Plans a task without a model. The test supplies the elements of the page. */
import { planRefined } from "../../../../machines/dialogue/planner/plan-refine-loop.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";

export const planned = (task: string, elements: readonly HighlightedElement[]) =>
  planRefined({ task, elements, answers: {}, id: "p", version: 1, pageUrl: "http://site.test/" });

/**
 * Plans a task and returns each step as text: the action, the position of its element in `elements`, and the
 * value.
 */
export const stepsOf = (task: string, elements: readonly HighlightedElement[]) =>
  planned(task, elements).plan.steps.map(({ action, targetId, value }) =>
    [action, elements.findIndex((one) => one.highlight_index === targetId), value]
      .filter((part) => part !== null)
      .join(" "),
  );
