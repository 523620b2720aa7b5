/**
 * Places the screens of a map: the screens of a section form a circle, and the sections form a larger circle. A
 * section contains the screens whose addresses have the same folder, because a person who uses the site knows its
 * folders. The layout depends only on the map, so it is the same in each session.
 */
import { type HierarchyCircularNode, hierarchy, pack } from "d3-hierarchy";
import type {
  GraphScreen,
  GraphTransition,
  MapGraph,
} from "../../../../machines/knowledge/map-drawing-graph.ts";

/**
 * Maximum number of screens in a section. A larger section is divided by the next folder of its addresses.
 */
const LARGEST_SECTION = 60;
/** Approximate radius of a drawn screen, in units of the drawing. It determines the gaps between screens. */
const SCREEN_SIZE = 12;

export interface PlacedScreen {
  readonly screen: GraphScreen;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Number of transitions that lead to or from the screen. */
  readonly degree: number;
  readonly section: number;
}

export interface PlacedSection {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly depth: number;
  readonly screens: number;
}

export interface PlacedEdge {
  readonly from: PlacedScreen;
  readonly to: PlacedScreen;
  readonly transition: GraphTransition;
}

/**
 * An edge between two sections, for a map that is zoomed out. `count` is the number of transitions from
 * screens of `from` to screens of `to`.
 */
export interface SectionEdge {
  readonly from: PlacedSection;
  readonly to: PlacedSection;
  readonly count: number;
}

export interface MapLayout {
  readonly screens: readonly PlacedScreen[];
  readonly sections: readonly PlacedSection[];
  readonly edges: readonly PlacedEdge[];
  readonly sectionEdges: readonly SectionEdge[];
  readonly byId: ReadonlyMap<string, PlacedScreen>;
  readonly size: number;
}

interface TreeNode {
  readonly name: string;
  readonly screen?: GraphScreen;
  readonly children?: readonly TreeNode[];
}

/** Returns the folders in a screen's address: its path without the last segment. */
export function foldersOf({ url, website_id }: GraphScreen, manySites: boolean): readonly string[] {
  if (!URL.canParse(url)) return [website_id];
  const { pathname, hash } = new URL(url);
  // In a client-side route such as `#/orders/17`, the fragment contains the folders, so the path is ignored.
  const route = /^#!?\/(.+)/.exec(hash)?.[1];
  const parts = (route ?? pathname).split("/").filter(Boolean);
  const folders = parts.slice(0, Math.max(1, parts.length - 1));
  const named = parts.length === 1 && route === undefined ? [] : folders;
  return manySites ? [website_id, ...named] : named;
}

interface Member {
  readonly screen: GraphScreen;
  readonly folders: readonly string[];
}

/**
 * Groups screens by one folder of their addresses.
 *
 * @param depth index of this folder in the addresses; the folders before it are the same for all members
 */
function treeOf(members: readonly Member[], depth: number): readonly TreeNode[] {
  const groups = Map.groupBy(members, ({ folders }) => folders[depth]);
  return [...groups]
    .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1))
    .flatMap(([folder, inside]) => {
      const leaves = inside.map(({ screen }): TreeNode => ({ name: screen.name, screen }));
      // For a folder with a single screen, no circle is drawn. The screen is drawn in the circle of the
      // parent folder.
      if (folder === undefined || inside.length === 1) return leaves;
      const children = inside.length > LARGEST_SECTION ? treeOf(inside, depth + 1) : leaves;
      return [{ name: folder, children }];
    });
}

function sectionAt(
  node: HierarchyCircularNode<TreeNode>,
  sections: readonly HierarchyCircularNode<TreeNode>[],
): number {
  return node.parent ? sections.indexOf(node.parent) : -1;
}

export function layOutMap({ screens, transitions }: MapGraph): MapLayout {
  const degrees = new Map<string, number>();
  for (const { from, to } of transitions) {
    for (const id of [from, to]) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  }
  const manySites = new Set(screens.map(({ website_id }) => website_id)).size > 1;
  const members = screens.map((screen) => ({ screen, folders: foldersOf(screen, manySites) }));
  const root: TreeNode = { name: "", children: treeOf(members, 0) };
  const size = Math.max(300, Math.sqrt(screens.length) * SCREEN_SIZE * 5);
  const placed = pack<TreeNode>()
    .size([size, size])
    .padding((node) => (node.depth === 0 ? SCREEN_SIZE : SCREEN_SIZE / 2.5))(
    hierarchy(root, ({ children }) => (children ? [...children] : undefined))
      .sum(({ screen }) => (screen ? 1 + Math.log2(Math.max(1, screen.instances)) : 0))
      .sort((one, other) => (other.value ?? 0) - (one.value ?? 0)),
  );
  const sectionNodes = placed.descendants().filter(({ data, depth }) => !data.screen && depth > 0);
  const sections = sectionNodes.map(
    (node): PlacedSection => ({
      name: node.data.name,
      x: node.x,
      y: node.y,
      radius: node.r,
      depth: node.depth,
      screens: node.leaves().length,
    }),
  );
  const placedScreens = placed.leaves().flatMap((node): PlacedScreen[] => {
    const { screen } = node.data;
    if (!screen) return [];
    return [
      {
        screen,
        x: node.x,
        y: node.y,
        radius: node.r,
        degree: degrees.get(screen.screen_id) ?? 0,
        section: sectionAt(node, sectionNodes),
      },
    ];
  });
  const byId = new Map(placedScreens.map((each) => [each.screen.screen_id, each]));
  const edges = transitions.flatMap((transition): PlacedEdge[] => {
    const [from, to] = [byId.get(transition.from), byId.get(transition.to)];
    return from && to ? [{ from, to, transition }] : [];
  });
  return {
    screens: placedScreens,
    sections,
    edges,
    sectionEdges: sectionEdgesOf(edges, sections),
    byId,
    size,
  };
}

function sectionEdgesOf(
  edges: readonly PlacedEdge[],
  sections: readonly PlacedSection[],
): readonly SectionEdge[] {
  const counts = new Map<string, { readonly from: number; readonly to: number; count: number }>();
  for (const { from, to } of edges) {
    if (from.section === to.section || from.section < 0 || to.section < 0) continue;
    const [one, other] = [Math.min(from.section, to.section), Math.max(from.section, to.section)];
    const key = `${one} ${other}`;
    const known = counts.get(key) ?? { from: one, to: other, count: 0 };
    known.count += 1;
    counts.set(key, known);
  }
  return [...counts.values()].flatMap(({ from, to, count }): SectionEdge[] => {
    const [source, target] = [sections[from], sections[to]];
    return source && target ? [{ from: source, to: target, count }] : [];
  });
}
