/**
 * The diagrams of machines, each drawn once. Neighbours: `layout.ts` and `svg.ts` draw, pages and REST ask here.
 */
import type { Chart } from "../../../machines/inspection/chart.ts";
import { consoleLimits } from "../limits.ts";
import { placeChart } from "./layout.ts";
import { drawChart } from "./svg.ts";

export class Diagrams {
  /** By the chart itself: a machine that changed is another diagram. */
  readonly #drawn = new Map<string, Promise<string>>();

  /** The `<svg>` element of a chart. */
  async draw(chart: Chart): Promise<string> {
    const key = JSON.stringify(chart);
    const known = this.#drawn.get(key);
    if (known) return await known;
    const drawing = placeChart(chart).then((placed) => drawChart(placed, chart.id));
    this.#drawn.set(key, drawing);
    const [oldest] = this.#drawn.keys();
    if (oldest !== undefined && this.#drawn.size > consoleLimits.diagrams) this.#drawn.delete(oldest);
    try {
      return await drawing;
    } catch (error) {
      // What failed once may work the next time.
      this.#drawn.delete(key);
      throw error;
    }
  }
}
