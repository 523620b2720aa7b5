/**
 * Shows what a map knows of a screen: indicators by which it is recognised, instances, tasks, and passages of
 * documents about it.
 */
import type { AgentResponse } from "../../../../machines/knowledge/knowledge-protocol.ts";
import { ValueTree } from "../forms/json-value-tree.tsx";

/**
 * The fields of the answer to `get_screen_context` that this view shows. The protocol does not define their
 * types.
 */
interface Expected {
  readonly url_patterns?: readonly string[];
  readonly verification?: { readonly dom_contains?: readonly string[] };
}

interface Context {
  readonly breadcrumbs?: readonly unknown[];
  readonly instances?: number;
  readonly examples?: readonly {
    readonly instance_id: string;
    readonly name: string;
    readonly url: string;
  }[];
  readonly tasks?: readonly {
    readonly task_id: string;
    readonly name: string;
    readonly fields: readonly string[];
  }[];
  readonly user_flows?: readonly {
    readonly name?: string;
    readonly steps: readonly { readonly screen_id: string; readonly name?: string }[];
  }[];
  readonly documentation?: readonly {
    readonly chunk_id: string;
    readonly title: string;
    readonly content: string;
    readonly location: string;
  }[];
}

/** Maximum number of characters of a document's passage that the view shows. */
const PASSAGE = 400;

interface PartProps {
  readonly title: string;
  readonly count: number;
  readonly none: string;
  readonly children: preact.ComponentChildren;
}

function Part({ title, count, none, children }: PartProps) {
  return (
    <details>
      <summary>
        {title} ({count})
      </summary>
      {count === 0 ? <p class="nothing">{none}</p> : <ul class="plain">{children}</ul>}
    </details>
  );
}

export function ScreenKnowledge({ answer }: { readonly answer: AgentResponse }) {
  // The casts are safe: the map answered `get_screen_context`, and its answer has these fields.
  const { verification, url_patterns = [] } = answer.expected_result as Expected;
  const {
    instances = 1,
    examples = [],
    tasks = [],
    user_flows = [],
    documentation = [],
  } = answer.metadata as Context;
  const texts = verification?.dom_contains ?? [];
  return (
    <>
      <Part
        title="Indicators"
        count={texts.length + url_patterns.length}
        none="Nothing identifies this screen."
      >
        {texts.map((text) => (
          <li key={text}>
            <span class="soft">shows</span> “{text}”
          </li>
        ))}
        {url_patterns.map((pattern) => (
          <li key={pattern}>
            <span class="soft">address</span> <span class="mono">{pattern}</span>
          </li>
        ))}
      </Part>
      {examples.length > 0 && (
        <Part title="Instances" count={instances} none="">
          {examples.map(({ instance_id, name, url }) => (
            <li key={instance_id}>
              {name} <span class="mono soft">{url}</span>
            </li>
          ))}
          {instances > examples.length && <li class="soft">and {instances - examples.length} more</li>}
        </Part>
      )}
      <Part
        title="Tasks"
        count={tasks.length + user_flows.length}
        none="It has no form, and belongs to no known flow."
      >
        {tasks.map(({ task_id, name, fields }) => (
          <li key={task_id}>
            {name} {fields.length > 0 && <span class="soft">with {fields.join(", ")}</span>}
          </li>
        ))}
        {user_flows.map(({ name, steps }, at) => (
          <li key={`flow ${at}`}>
            {name ?? "A flow"}{" "}
            <span class="soft">{steps.map((step) => step.name ?? step.screen_id).join(" → ")}</span>
          </li>
        ))}
      </Part>
      <Part
        title="Documents"
        count={documentation.length}
        none="No document says anything about it. Add one with npm run ingest."
      >
        {documentation.map(({ chunk_id, title, content, location }) => (
          <li key={chunk_id}>
            <b>{title}</b> <span class="soft">{location}</span>
            <p>{content.length > PASSAGE ? `${content.slice(0, PASSAGE)}…` : content}</p>
          </li>
        ))}
      </Part>
      <details>
        <summary>The whole answer</summary>
        <ValueTree value={{ ...answer.expected_result, ...answer.metadata }} />
      </details>
    </>
  );
}
