/**
 * Computes texts and sizes of states and transitions in a diagram. Texts use a monospaced font, so their
 * widths are known without a browser. As in UML, internal transitions are written inside their state.
 */
import type {
  Chart,
  ChartState,
  ChartTransition,
} from "../../../machines/inspection/statechart-of-state-machine.ts";

/** All sizes are in CSS pixels, unless a comment says otherwise. */
export const METRICS = {
  title: 13,
  text: 11,
  /** Width of a character as a multiple of the font size. */
  pitch: 0.602,
  line: 16,
  titleLine: 22,
  padding: 10,
  labelPadding: 5,
} as const;

/**
 * Maximum number of characters in one line of the diagram. Longer lines are cut, and the tooltip shows the
 * complete text.
 */
const MAX_LINE = 38;

export interface Line {
  readonly text: string;
  readonly title: string;
  /** Id of the transition that this line describes; absent for other lines. */
  readonly transition?: string;
}

export interface Box {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

export function textWidth(text: string, size: number): number {
  let cells = 0;
  // Characters from U+1100 on count as two characters, because most of them are twice as wide in monospaced
  // fonts.
  for (const character of text) cells += (character.codePointAt(0) ?? 0) > 0x10ff ? 2 : 1;
  return cells * size * METRICS.pitch;
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_LINE ? text : `${characters.slice(0, MAX_LINE - 1).join("")}…`;
}

function line(text: string, transition?: string): Line {
  return { text: shortened(text), title: text, ...(transition === undefined ? {} : { transition }) };
}

/** Matches names that XState generates for unnamed actions and guards. */
const UNNAMED: ReadonlySet<string> = new Set([
  ...["function", "assign", "emit", "enqueueActions", "raise", "cancel", "sendTo", "spawnChild", "stopChild"],
]);

const named = (actions: readonly string[]) => actions.filter((name) => !UNNAMED.has(name));

/** Returns a transition as text: `event [guard]`. In the long form, the actions of the transition follow. */
function describeTransition(transition: ChartTransition): string {
  const { label, guard, actions, reenter } = transition;
  const does = named(actions).join(", ");
  return [
    label,
    guard === null ? "" : ` [${guard}]`,
    reenter ? " (re-enters)" : "",
    does && ` / ${does}`,
  ].join("");
}

function inside(transition: ChartTransition): Line {
  const { id, actions } = transition;
  const ignores = actions.length === 0 ? " (ignored)" : "";
  return line(`${describeTransition(transition)}${ignores}`, id);
}

/**
 * Whether the transition has no target, so that the state machine stays in its state. Such a transition is written
 * inside the state's box.
 */
export function staysInside({ targets }: ChartTransition): boolean {
  return targets.length === 0;
}

export function stateBox(state: ChartState, chart: Chart): Box {
  const lines = [
    ...named(state.entry).map((action) => line(`entry / ${action}`)),
    ...named(state.exit).map((action) => line(`exit / ${action}`)),
    ...state.invokes.map(({ id, src }) => line(`runs ${id === src ? src : `${id} (${src})`}`)),
    ...chart.transitions
      .filter((transition) => transition.source === state.id && staysInside(transition))
      .map(inside),
  ];
  const title = shortened(state.key);
  const width = Math.max(
    textWidth(title, METRICS.title),
    ...lines.map(({ text }) => textWidth(text, METRICS.text)),
  );
  const { padding, titleLine, line: step } = METRICS;
  return {
    title,
    lines,
    width: Math.ceil(Math.max(width + 2 * padding, 72)),
    height: titleLine + (lines.length > 0 ? lines.length * step + 10 : 8),
  };
}

/** Returns the lines of a transition's label: its event, and below it the guard. */
export function transitionBox(transition: ChartTransition): Box {
  const { id, label, guard } = transition;
  const title = describeTransition(transition);
  const texts = [shortened(label), ...(guard === null ? [] : [shortened(`[${guard}]`)])];
  const width = Math.max(...texts.map((text) => textWidth(text, METRICS.text)));
  return {
    title,
    lines: texts.map((text) => ({ text, title, transition: id })),
    width: Math.ceil(width + 2 * METRICS.labelPadding),
    height: texts.length * METRICS.line + 2,
  };
}
