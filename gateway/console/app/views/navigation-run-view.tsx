/**
 * The view `/navigations/{id}` of a navigation run: its decisions as a live tree, its results with sources,
 * and its cost.
 */
import type {
  Article,
  Decision,
  NavigationResult,
} from "../../../../machines/navigation/navigation-run-schemas.ts";
import { get, path, post } from "../console-api-client.ts";
import { useAction, useLive, useResource } from "../preact-store-hooks.ts";
import { ActionButton, Card, Empty, Facts, Loaded, StateName, View } from "../view-components.tsx";
import type { ViewProps } from "./view-props.ts";

interface DecisionNode {
  readonly decision: Decision;
  readonly children: DecisionNode[];
}

/**
 * Converts the list of decisions to a tree. The list is depth first, so a decision's parent is the nearest
 * earlier decision with a smaller depth.
 */
function decisionTree(decisions: readonly Decision[]): readonly DecisionNode[] {
  const roots: DecisionNode[] = [];
  const path: DecisionNode[] = [];
  for (const decision of decisions) {
    const node: DecisionNode = { decision, children: [] };
    while (path.length > 0 && (path.at(-1)?.decision.depth ?? 0) >= decision.depth) path.pop();
    const parent = path.at(-1);
    if (parent) parent.children.push(node);
    else roots.push(node);
    path.push(node);
  }
  return roots;
}

const ACTIONS: Readonly<Record<Decision["action"], string>> = {
  EXTRACT_CONTENT: "read it",
  EXTRACT_LINKS: "follow its links",
  NAVIGATE_TO: "go on to another page",
  STOP: "stop here",
};

/**
 * Shows the address as a link only if it is an HTTP address, because the results of a run come from pages
 * that are not trusted.
 */
function Outside({ url, children }: { readonly url: string; readonly children?: preact.ComponentChildren }) {
  return /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {children ?? url}
    </a>
  ) : (
    <span>{children ?? url}</span>
  );
}

function DecisionItem({ node: { decision, children } }: { readonly node: DecisionNode }) {
  const { url, action, page_type, confidence, reasoning, target_url, decided_by } = decision;
  return (
    <li>
      <div class="decision">
        <p>
          <b class={`verdict ${action.toLowerCase()}`}>{ACTIONS[action]}</b>{" "}
          <span class="soft">
            {page_type.replaceAll("_", " ")} · {Math.round(confidence * 100)}% · by {decided_by}
          </span>
        </p>
        <p class="mono">
          <Outside url={url} />
        </p>
        <p class="soft">{reasoning}</p>
        {target_url && (
          <p class="soft mono">
            → <Outside url={target_url} />
          </p>
        )}
      </div>
      {children.length > 0 && (
        <ul>
          {children.map((child, at) => (
            <DecisionItem key={`${at} ${child.decision.url}`} node={child} />
          ))}
        </ul>
      )}
    </li>
  );
}

function ArticleCard({ article }: { readonly article: Article }) {
  const {
    url,
    title,
    content,
    publish_date,
    author,
    posts,
    page_type,
    relevance_score,
    relevance_reason,
    provenance,
  } = article;
  return (
    <Card class="article">
      <h3>
        <Outside url={url}>{title || url}</Outside>
      </h3>
      <p class="soft">
        {page_type.replaceAll("_", " ")} · {publish_date ?? "no date"} · {author ?? "no author"} · fits{" "}
        {Math.round(relevance_score * 100)}%: {relevance_reason}
      </p>
      {posts.length > 0 ? (
        <details>
          <summary>{posts.length} posts</summary>
          <ol class="posts">
            {posts.map((post, at) => (
              <li key={at}>
                <p class="soft">
                  {post.author ?? "unknown"} {post.date}
                </p>
                <p>{post.text}</p>
              </li>
            ))}
          </ol>
        </details>
      ) : (
        <details>
          <summary>Text, {content.length} characters</summary>
          <pre class="text">{content}</pre>
        </details>
      )}
      <p class="soft mono">
        {[...provenance.path, url].length} pages from {provenance.seed_url}, read by {provenance.rendered_by}
      </p>
    </Card>
  );
}

export function NavigationRunView({ parameters: { id = "" } }: ViewProps) {
  const result = useResource(id, () => get<NavigationResult>(path("/api/navigate", id)));
  const [isRunning, run] = useAction();
  useLive(path("/ws/navigations", id), result.reload, result.reload);
  // A change of the actor's state means that the result of the run has changed. The end of a run is reported
  // by no other event.
  useLive(
    `/ws/inspect?${new URLSearchParams({ kind: "navigation", id, what: "state" })}`,
    result.reload,
    result.reload,
  );
  const isOn = ["queued", "running"].includes(result.value?.status ?? "");
  return (
    <View
      title={id}
      up={{ href: "/navigations", text: "Navigation" }}
      wide
      actions={
        <>
          <a href={path("/actors", "navigation", id)}>Statechart</a>
          {isOn && (
            <ActionButton
              disabled={isRunning}
              onClick={() =>
                void run(() => post(`${path("/api/navigate", id)}/cancel`), "The run is cancelled.").then(
                  result.reload,
                )
              }
            >
              Cancel
            </ActionButton>
          )}
        </>
      }
    >
      <Loaded of={result}>
        {({ status, stopped_reason, intent, articles, summary, decisions, usage, error }) => (
          <>
            <Facts
              of={[
                { name: "State", value: <StateName state={status} id="state" /> },
                stopped_reason !== null && { name: "Ended by", value: stopped_reason.replaceAll("_", " ") },
                intent !== null && { name: "Topic", value: intent.topic },
                intent?.time_range_days != null && {
                  name: "Time",
                  value: `the last ${intent.time_range_days} days`,
                },
                { name: "Pages", value: usage.pages_fetched },
                { name: "Seconds", value: usage.seconds.toFixed(1) },
                { name: "Model calls", value: usage.llm_calls },
                { name: "Tokens", value: usage.input_tokens + usage.output_tokens },
                {
                  name: "Cost",
                  value: usage.cost_usd === null ? "unknown" : `$${usage.cost_usd.toFixed(4)}`,
                },
              ]}
            />
            {error && (
              <p class="note bad">
                {error.message} <span class="mono">{error.code}</span>
              </p>
            )}
            <div class="columns halves">
              <Card title={`Decisions (${decisions.length})`}>
                {decisions.length === 0 ? (
                  <p class="nothing">{isOn ? "The first page is being read." : "No page could be read."}</p>
                ) : (
                  <ul class="decisions">
                    {decisionTree(decisions).map((node, at) => (
                      <DecisionItem key={`${at} ${node.decision.url}`} node={node} />
                    ))}
                  </ul>
                )}
              </Card>
              <div>
                {summary && (
                  <Card title="Summary">
                    <p class="summary">{summary.text}</p>
                    <ol>
                      {summary.sources.map(({ url, title }) => (
                        <li key={url}>
                          <Outside url={url}>{title || url}</Outside>
                        </li>
                      ))}
                    </ol>
                  </Card>
                )}
                <h2>What it found ({articles.length})</h2>
                {articles.length === 0 && (
                  <Empty title={isOn ? "Nothing yet." : "Nothing fitted the question."} />
                )}
                {articles.map((article) => (
                  <ArticleCard key={article.url} article={article} />
                ))}
              </div>
            </div>
          </>
        )}
      </Loaded>
    </View>
  );
}
