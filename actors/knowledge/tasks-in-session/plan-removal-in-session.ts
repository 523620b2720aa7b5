/**
 * Plans a task that removes an object: finds the object in the session. As long as the caller has not
 * approved the removal, the answer only says what would be done. Planning removes nothing.
 */
import type { AgentResponse } from "../../../machines/knowledge/knowledge-protocol.ts";
import { shortHash } from "../../../machines/knowledge/screens/screen-id.ts";
import type { ReadRemoval, RemovalTarget } from "../../../machines/knowledge/tasks/removal-target.ts";
import { parseAction } from "../../../machines/session/actions/parse-action.ts";
import { nameOf } from "../../../machines/session/page/element-line.ts";
import { consequencesKey } from "../../../machines/walk/removal-consequences.ts";
import { refusal } from "../answers/agent-answer-builders.ts";
import type { NamedLinkOfMap } from "../answers/map-links-for-task.ts";
import { statesOf } from "../answers/page-states-showing-things.ts";
import { type FoundRemoval, ObjectSearchInSession, type RemovalSearch } from "./find-object-to-remove.ts";
import type { PlannedTask } from "./plan-task-in-session.ts";
import type { SearchedSession } from "./session-interface-for-task-search.ts";

/** Maximum number of pages that a refusal names. */
const NAMED = 5;
/**
 * Separates the two parts of an approval: the approval to remove the object, and the approval to remove what
 * the application removes together with the object.
 */
const CONSEQUENCES_MARK = ".";

/**
 * Asks the caller to approve what the application would remove together with the object, as it announces in
 * its question. Nothing was removed yet.
 *
 * @param answer the answer to the walk, which did not confirm the question
 * @param approved the earlier approval, which covers only the removal of the object
 */
export function consequencesToApprove(
  answer: AgentResponse,
  approved: string,
  consequences: string,
): AgentResponse {
  const [base] = approved.split(CONSEQUENCES_MARK);
  const approval = `${base}${CONSEQUENCES_MARK}${consequencesKey(consequences)}`;
  return {
    ...answer,
    error: `The application says that it removes more with this object: ${consequences}. To approve exactly this, ask again with approve_risk: "${approval}", and with another id, if you give one. Nothing was removed.`,
    metadata: {
      ...answer.metadata,
      code: "task.approval_needed",
      risk: "delete",
      approve_risk: approval,
      consequences,
    },
  };
}

/** Refuses a task that removes several objects or does not name its object. */
export function refusedRemoval(
  target: string,
  problem: Exclude<ReadRemoval, { target: unknown }>["problem"],
) {
  const task = target.trim();
  return problem === "bulk"
    ? refusal(
        "task.bulk_removal",
        `The task "${task}" removes several objects. execute_task removes one object at a time, which the target names. Nothing was done.`,
      )
    : refusal(
        "task.which_object",
        `The task "${task}" does not name the object to remove. Name its kind and its exact name, such as: delete the voucher "SUMMER". Nothing was done.`,
      );
}

/**
 * Plans the removal of one object.
 *
 * @param answer the answer of the map to the task, whose links may lead to the object
 * @param approved the approval that the caller passes; it must be the approval for the object that is found
 */
export async function plannedRemoval(
  answer: AgentResponse,
  { task, target, approved }: { task: string; target: RemovalTarget; approved: string | undefined },
  session: SearchedSession,
): Promise<PlannedTask> {
  const start = (await session.page()).url;
  const searched = await new ObjectSearchInSession(session, target).search(linksOf(answer), statesOf(answer));
  if (!("found" in searched)) {
    if (searched.hasLeft) await session.open(start);
    return notFound(task, target, searched);
  }
  const { found } = searched;
  const approval = approvalOf(target, found);
  const [given, consequences] = approved?.split(CONSEQUENCES_MARK) ?? [];
  if (given !== approval) {
    if (searched.hasLeft) await session.open(start);
    return needsApproval(task, target, found, { approval, approved });
  }
  const { control, tick, is_ticked, page, list, presses, in_part, is_row, others, object } = found;
  const description = `Press ${pressed(found)} of ${quoted(target.name)}`;
  const action = parseAction("click", { index: control.highlight_index });
  const removal = {
    name: target.name,
    kinds: target.kinds,
    object,
    ...(consequences === undefined ? {} : { approved_consequences: consequences }),
    others,
    is_row,
    page: page.url,
    ...(list === undefined ? {} : { list }),
    ...(presses.length === 0 ? {} : { presses, in_part }),
    ...(tick ? { tick: tick.xpath, was_disabled: control.disabled === true || is_ticked === true } : {}),
  };
  const ticking = tick &&
    !is_ticked && {
      description: `Tick the row of ${quoted(target.name)}`,
      action: parseAction("click", { index: tick.highlight_index }),
    };
  return { task: [...(ticking ? [ticking] : []), { description, action, removal }] };
}

/** Returns the links of the map that may lead to the object or its list. */
function linksOf({ metadata }: AgentResponse) {
  // The casts are safe: the map's actor wrote these lists.
  const links = (metadata.links ?? []) as readonly NamedLinkOfMap[];
  const pages = (metadata.pages ?? []) as readonly NamedLinkOfMap[];
  const screens = (metadata.screens ?? []) as readonly NamedLinkOfMap[];
  const screen = metadata.screen as NamedLinkOfMap | undefined;
  return [...links, ...pages, ...(screen ? [screen] : []), ...screens].map(({ name, url }) => ({
    text: name,
    url,
  }));
}

const quoted = (text: string): string => `"${text}"`;

function pressed({ control }: FoundRemoval): string {
  const { href } = control.attributes;
  const name = nameOf(control) || control.icon || control.tagName;
  return href === undefined || href.startsWith("#") ? quoted(name) : `${quoted(name)} (${href})`;
}

/** Identifies what is approved: the object, the control that removes it, and the address of its page. */
function approvalOf({ kind, name }: RemovalTarget, { control, page }: FoundRemoval): string {
  const { href = "" } = control.attributes;
  return `delete_${shortHash([kind, name, page.url, nameOf(control), href].join("\n"))}`;
}

function needsApproval(
  task: string,
  { name }: RemovalTarget,
  found: FoundRemoval,
  { approval, approved }: { approval: string; approved: string | undefined },
): AgentResponse {
  const { page, object, list } = found;
  const steps = [
    `Open ${page.name} (${page.url})`,
    ...(found.tick ? [`Tick the row of ${quoted(name)}, and no other row`] : []),
    `Press ${pressed(found)} of ${quoted(name)}`,
    "Confirm the question about this object, if there is one; if it says that more is removed, ask for the approval of that",
    "Check that the object is gone",
  ];
  const stale = approved === undefined ? "" : `The approval "${approved}" is for something else. `;
  const answer = refusal(
    "task.approval_needed",
    `The task "${task.trim()}" removes something, so it needs an approval. ${stale}It would ${found.tick ? "tick the row, and " : ""}press ${pressed(found)} of "${object}" on ${page.name} (${page.url}). To approve exactly this, ask again with approve_risk: "${approval}". Nothing was done.`,
  );
  return {
    ...answer,
    metadata: {
      ...answer.metadata,
      risk: "delete",
      approve_risk: approval,
      object: { name, text: object, url: page.url, ...(list === undefined ? {} : { list }) },
      would_do: steps,
    },
  };
}

function notFound(
  task: string,
  { name, kind }: RemovalTarget,
  searched: Exclude<RemovalSearch, { found: unknown }>,
): AgentResponse {
  const pages = searched.read
    .slice(0, NAMED)
    .map((page) => `${page.name || "a page"} (${page.url})`)
    .join(", ");
  const read = `These pages were read: ${pages}. Nothing was done.`;
  const withPages = (answer: AgentResponse, more: object = {}): AgentResponse => ({
    ...answer,
    metadata: { ...answer.metadata, pages_read: searched.read, ...more },
  });
  if ("problem" in searched) {
    const { candidates, problem } = searched;
    const [what, then] =
      problem === "several_objects"
        ? [
            `Several rows are named "${name}"`,
            "Open the page of the one that is meant in the session, and ask again.",
          ]
        : [`Several controls may remove "${name}"`, "Press the one that is meant in the session."];
    const text = candidates.map(quoted).join(", ");
    return withPages(refusal("task.which_object", `${what}: ${text}. ${then} ${read}`), { candidates });
  }
  if ("without_control" in searched) {
    const { without_control: page } = searched;
    return withPages(
      refusal(
        "task.no_remove_control",
        `"${name}" is on ${page.name} (${page.url}), but no control there certainly removes it. ${read}`,
      ),
    );
  }
  const { similar } = searched;
  const thing = kind === "" ? `"${name}"` : `${kind} named exactly "${name}"`;
  if (similar.length > 0)
    return withPages(
      refusal(
        "task.which_object",
        `No ${thing} was found for the task "${task.trim()}". Similar names are ${similar.map(quoted).join(", ")}: ask again with the whole name in quotation marks. ${read}`,
      ),
      { candidates: similar },
    );
  return withPages(
    refusal(
      "task.object_not_found",
      `No ${thing} was found for the task "${task.trim()}". Open the list or the page with the object in the session, and ask again. ${read}`,
    ),
  );
}
