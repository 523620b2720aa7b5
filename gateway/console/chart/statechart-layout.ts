/**
 * Places a state chart: every state becomes a box, every transition a line with a label. It uses ELK's
 * layered algorithm, with nested states inside their parents and orthogonal lines. Coordinates start at the
 * upper left corner.
 */
import type { ElkExtendedEdge, ElkLabel, ElkNode, ElkPoint } from "elkjs/lib/elk-api.js";
import type {
  Chart,
  ChartState,
  ChartTransition,
} from "../../../machines/inspection/statechart-of-state-machine.ts";
import { type Box, METRICS, stateBox, staysInside, transitionBox } from "./statechart-boxes.ts";
import { layOut } from "./statechart-layout-thread.ts";

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedState {
  readonly state: ChartState;
  readonly box: Box;
  readonly place: Place;
  /** Nesting depth of the state. The state machine itself has depth 0. */
  readonly depth: number;
}

export interface PlacedLine {
  /** The transition that the line shows; absent for the arrow to the initial state. */
  readonly transition?: ChartTransition;
  readonly points: readonly ElkPoint[];
  readonly label?: { readonly box: Box; readonly place: Place };
}

export interface Placed {
  readonly width: number;
  readonly height: number;
  /** The states with their places in the diagram. Parents come before their children. */
  readonly states: readonly PlacedState[];
  readonly lines: readonly PlacedLine[];
  /** Positions of the dots that mark initial states in the diagram. */
  readonly starts: readonly Place[];
}

const DOT = 10;
const START = "start of ";

const layoutOptions: Readonly<Record<string, string>> = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.json.shapeCoords": "ROOT",
  "elk.json.edgeCoords": "ROOT",
  "elk.spacing.nodeNode": "28",
  "elk.spacing.edgeNode": "16",
  "elk.spacing.edgeEdge": "12",
  "elk.spacing.edgeLabel": "4",
  "elk.spacing.labelLabel": "6",
  "elk.layered.spacing.nodeNodeBetweenLayers": "30",
  "elk.layered.spacing.edgeNodeBetweenLayers": "16",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "12",
  // Cycles are broken in depth-first order from the initial state. Transitions that lead back to an earlier
  // state then point upwards.
  "elk.layered.cycleBreaking.strategy": "DEPTH_FIRST",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.layered.unnecessaryBendpoints": "true",
  "elk.padding": "[top=12,left=12,bottom=12,right=12]",
};

function stateNode(state: ChartState, chart: Chart, boxes: ReadonlyMap<string, Box>): ElkNode {
  const box = boxes.get(state.id) ?? stateBox(state, chart);
  const children = chart.states.filter(({ parent }) => parent === state.id);
  if (children.length === 0) {
    const size =
      state.type === "history" ? { width: 28, height: 28 } : { width: box.width, height: box.height };
    return { id: state.id, ...size };
  }
  const start: ElkNode[] = state.initial === null ? [] : [{ id: START + state.id, width: DOT, height: DOT }];
  return {
    id: state.id,
    layoutOptions: {
      ...layoutOptions,
      "elk.padding": `[top=${box.height + 14},left=18,bottom=18,right=18]`,
      "elk.nodeSize.constraints": "MINIMUM_SIZE",
      "elk.nodeSize.minimum": `(${box.width}, ${box.height})`,
    },
    children: [...start, ...children.map((child) => stateNode(child, chart, boxes))],
  };
}

function edgesOf(chart: Chart): readonly ElkExtendedEdge[] {
  const starts = chart.states.flatMap((state) =>
    state.initial === null
      ? []
      : [{ id: START + state.id, sources: [START + state.id], targets: [state.initial] }],
  );
  const moves = chart.transitions
    .filter((transition) => !staysInside(transition))
    .flatMap((transition) => {
      const { width, height } = transitionBox(transition);
      return transition.targets.map((target, i) => ({
        id: `${transition.id}>${i}`,
        sources: [transition.source],
        targets: [target],
        labels:
          i === 0
            ? [{ width, height, text: transition.label, layoutOptions: { "elk.edgeLabels.inline": "true" } }]
            : [],
      }));
    });
  return [...starts, ...moves];
}

function placeOf({ x = 0, y = 0, width = 0, height = 0 }: ElkNode | ElkLabel): Place {
  return { x, y, width, height };
}

function pointsOf(edge: ElkExtendedEdge): readonly ElkPoint[] {
  return (edge.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) => [
    startPoint,
    ...bendPoints,
    endPoint,
  ]);
}

/**
 * Computes the positions of a chart's states and lines. Throws `console.no_layout` when the computation takes
 * too long.
 */
export async function placeChart(chart: Chart): Promise<Placed> {
  const root = chart.states[0];
  if (!root) return { width: 0, height: 0, states: [], lines: [], starts: [] };
  const boxes = new Map(chart.states.map((state) => [state.id, stateBox(state, chart)]));
  const laidOut = await layOut({
    id: "drawing",
    layoutOptions: { ...layoutOptions },
    children: [stateNode(root, chart, boxes)],
    edges: [...edgesOf(chart)],
  });

  const states: PlacedState[] = [];
  const starts: Place[] = [];
  const known = new Map(chart.states.map((state) => [state.id, state]));
  const visit = (node: ElkNode, depth: number): void => {
    const state = known.get(node.id);
    const box = boxes.get(node.id);
    if (state && box) states.push({ state, box, place: placeOf(node), depth });
    else starts.push(placeOf(node));
    for (const child of node.children ?? []) visit(child, depth + 1);
  };
  for (const node of laidOut.children ?? []) visit(node, 0);

  const transitions = new Map<string, ChartTransition>(
    chart.transitions.flatMap((transition) =>
      transition.targets.map((_, i) => [`${transition.id}>${i}`, transition] as const),
    ),
  );
  const lines = (laidOut.edges ?? []).map((edge): PlacedLine => {
    const transition = transitions.get(edge.id);
    const label = edge.labels?.[0];
    return {
      points: pointsOf(edge),
      ...(transition ? { transition } : {}),
      ...(transition && label ? { label: { box: transitionBox(transition), place: placeOf(label) } } : {}),
    };
  });
  const { width = 0, height = 0 } = laidOut;
  return { width: Math.ceil(width), height: Math.ceil(height), states, lines, starts };
}

export { METRICS };
