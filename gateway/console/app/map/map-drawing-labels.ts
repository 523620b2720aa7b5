/** Chooses the labels that a map shows. If labels overlap, only the most important label is shown. */

export interface LabelWish {
  readonly text: string;
  /** Horizontal middle (`x`) and lower edge (`y`) of the label, in pixels of the frame. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Importance of the label. If labels overlap, only the one with the highest value is shown. */
  readonly weight: number;
}

export interface PlacedLabel extends LabelWish {
  readonly width: number;
  readonly height: number;
}

/**
 * Width of a character of the system's sans-serif font, relative to the font size. The value is slightly too
 * large, so that a label is not wider than computed.
 */
const PITCH = 0.58;
const MOST_CHARACTERS = 28;
/** Minimum distance between two labels, in pixels. */
const GAP = 3;
/** Size in pixels of a cell of the grid by which overlapping labels are found quickly. */
const CELL = 64;

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`;
}

function overlaps(one: PlacedLabel, other: PlacedLabel): boolean {
  return (
    Math.abs(one.x - other.x) < (one.width + other.width) / 2 + GAP &&
    one.y - one.height < other.y + GAP &&
    other.y - other.height < one.y + GAP
  );
}

/** Maximum number of labels in one picture, because drawing more labels would be slow. */
const MOST_LABELS = 160;

export function placeLabels(wishes: readonly LabelWish[]): readonly PlacedLabel[] {
  const grid = new Map<string, PlacedLabel[]>();
  const placed: PlacedLabel[] = [];
  const cellsOf = ({ x, y, width, height }: PlacedLabel): readonly string[] => {
    const cells: string[] = [];
    for (
      let column = Math.floor((x - width / 2 - GAP) / CELL);
      column <= (x + width / 2 + GAP) / CELL;
      column++
    ) {
      for (let row = Math.floor((y - height - GAP) / CELL); row <= (y + GAP) / CELL; row++)
        cells.push(`${column} ${row}`);
    }
    return cells;
  };
  for (const wish of wishes.toSorted((one, other) => other.weight - one.weight)) {
    if (placed.length >= MOST_LABELS) break;
    const text = shortened(wish.text);
    const label = { ...wish, text, width: text.length * wish.size * PITCH, height: wish.size * 1.2 };
    const cells = cellsOf(label);
    if (cells.some((cell) => grid.get(cell)?.some((other) => overlaps(label, other)))) continue;
    for (const cell of cells) grid.set(cell, [...(grid.get(cell) ?? []), label]);
    placed.push(label);
  }
  return placed;
}
