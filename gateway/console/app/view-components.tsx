/**
 * Components that all views of the console use: the frame of a view, loading states, tables, badges, times.
 */
import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ApiError } from "./console-api-client.ts";
import { may } from "./facts-in-console-document.ts";
import type { Resource } from "./preact-store-hooks.ts";

interface ViewProps {
  readonly title: string;
  /** One sentence about the view, shown below its title. */
  readonly about?: ComponentChildren;
  readonly up?: { readonly href: string; readonly text: string };
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
  readonly wide?: boolean;
}

/** The frame of a view. Its heading receives the focus, so that a screen reader announces the new view. */
export function View({ title, about, up, actions, children, wide = false }: ViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Cairn`;
  }, [title]);
  useEffect(() => {
    // After a document has loaded, the focus stays at the start of the document, as in any web page. Only
    // later changes of the view move the focus to the view's heading.
    if (document.activeElement !== document.body || document.body.dataset.moved === "yes") {
      heading.current?.focus({ preventScroll: true });
    }
    document.body.dataset.moved = "yes";
    scrollTo(0, 0);
  }, []);
  return (
    <div class={wide ? "view wide-view" : "view"}>
      <div class="view-head">
        <div>
          {up && (
            <a class="up" href={up.href}>
              {up.text}
            </a>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {about && <p class="about">{about}</p>}
      {children}
    </div>
  );
}

interface CardProps {
  readonly title?: string;
  readonly actions?: ComponentChildren;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

export function Card({ title, actions, children, ...more }: CardProps) {
  return (
    <section class={`card ${more.class ?? ""}`} aria-label={title}>
      {(title || actions) && (
        <div class="card-head">
          {title && <h2>{title}</h2>}
          {actions && <div class="actions">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

export function Loading({ what = "Loading" }: { readonly what?: string }) {
  return (
    <div class="loading" role="status">
      <span class="bar" />
      <span class="bar short" />
      <span class="hidden-text">{what}…</span>
    </div>
  );
}

/** Shows an error with its code. The message states what to do. */
export function Failure({ error, retry }: { readonly error: ApiError; readonly retry?: () => void }) {
  return (
    <div class="failure" role="alert">
      <strong>{error.status === 404 ? "Not here" : "That did not work"}</strong>
      <p>{error.message}</p>
      <p class="mono soft">{error.code}</p>
      {retry && error.status !== 404 && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/**
 * Shown instead of an empty list. Explains what the list will contain, and what the person can do to fill it.
 */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <svg viewBox="0 0 32 32" width="40" height="40" aria-hidden="true">
        <rect x="3" y="22" width="26" height="7" rx="3.5" />
        <rect x="7" y="13" width="18" height="7" rx="3.5" />
        <rect x="11" y="4" width="10" height="7" rx="3.5" />
      </svg>
      <p class="empty-title">{title}</p>
      {children && <div class="empty-body">{children}</div>}
    </div>
  );
}

interface LoadedProps<Value> {
  readonly of: Resource<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** Shows a resource as loading, failed or loaded. When a reload fails, the loaded value stays visible. */
export function Loaded<Value>({ of, children }: LoadedProps<Value>) {
  const { value, error, reload } = of;
  if (value === undefined) return error ? <Failure error={error} retry={reload} /> : <Loading />;
  return (
    <>
      {error && <Failure error={error} retry={reload} />}
      {children(value)}
    </>
  );
}

const TONES: readonly (readonly [RegExp, string])[] = [
  [/parked|failed|error|lost|interrupted/, "bad"],
  [/completed|arrived|done|ready|live/, "good"],
  [/paused|cancelled|refused|closed|hibernated|awaiting|clarifying|mid_exec|announce|queued|waiting/, "warm"],
  [/idle|absent|final/, "quiet"],
];

function toneOf(state: string): string {
  return TONES.find(([pattern]) => pattern.test(state))?.[1] ?? "busy";
}

export function StateName({ state, id }: { readonly state: string; readonly id?: string }) {
  return (
    <span class={`state-name ${toneOf(state)}`} id={id}>
      {state}
    </span>
  );
}

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** Shows a time in the reader's time zone. The date is added if it is not today. */
export function Moment({ at }: { readonly at: string | number }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span class="soft">–</span>;
  const isToday = date.toDateString() === new Date().toDateString();
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()}>
      {isToday ? "" : `${DAY.format(date)} `}
      {TIME.format(date)}
    </time>
  );
}

interface ColumnsProps {
  readonly caption: string;
  readonly head: readonly string[];
  readonly children: ComponentChildren;
}

export function Table({ caption, head, children }: ColumnsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls in its own box, which the keyboard must reach
    <section class="scroll" tabIndex={0} aria-label={caption}>
      <table>
        <caption class="hidden-text">{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
}

export function Facts({ of }: { readonly of: readonly (Fact | false | undefined)[] }) {
  return (
    <dl class="facts">
      {of.flatMap((fact) =>
        fact
          ? [
              <div key={fact.name}>
                <dt>{fact.name}</dt>
                <dd>{fact.value}</dd>
              </div>,
            ]
          : [],
      )}
    </dl>
  );
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly name: string; readonly text: string; readonly href: string }[];
  readonly current: string;
}

/** Each tab is a link, so that every tab has its own address. */
export function Tabs({ label, tabs, current }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, text, href }) => (
        <a key={name} href={href} aria-current={name === current ? "page" : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type" | "disabled"> {
  /** The scope that the button's action needs. */
  readonly needs?: "act" | "admin";
  readonly disabled?: boolean;
}

/**
 * A button for an action. If the scope of the person's key does not allow the action, the button is disabled
 * and names the needed scope.
 */
export function ActionButton({ needs = "act", disabled = false, children, ...more }: ButtonProps) {
  const isAllowed = may(needs);
  return (
    <button
      {...more}
      type="button"
      disabled={disabled || !isAllowed}
      title={isAllowed ? more.title : `Needs a key with the scope ${needs}`}
    >
      {children}
    </button>
  );
}
