/** A cache of drawn state charts. */
import type { Chart } from "../../../machines/inspection/statechart-of-state-machine.ts";
import { consoleLimits } from "../console-limits.ts";
import { placeChart } from "./statechart-layout.ts";
import { drawChart } from "./statechart-svg.ts";

export class Diagrams {
  /**
   * The drawings, keyed by the chart as JSON. When a state machine changes, its JSON changes too, so the chart is
   * drawn again.
   */
  readonly #drawn = new Map<string, Promise<string>>();

  /** Returns the drawing of a chart, as an `<svg>` element. */
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
      // A failed drawing is removed from the cache, so that the next request draws the chart again.
      this.#drawn.delete(key);
      throw error;
    }
  }
}
