/**
 * Shows the progress of an exploration: a bar on a terminal, lines of text elsewhere, JSON lines for
 * programs.
 */
import type { ExplorationStatus } from "../../machines/exploration/exploration-protocol.ts";
import type { Terminal } from "./cli-command-interface.ts";

/**
 * Length in milliseconds of the time window in which the pages per second are counted. Where there is no terminal,
 * a line is printed at this interval too.
 */
const WINDOW = 5_000;
const BAR = 20;

interface Sample {
  readonly at: number;
  readonly pages: number;
}

export class ProgressDisplay {
  readonly #terminal: Terminal;
  readonly #json: boolean;
  #samples: readonly Sample[] = [];
  #printedAt = Number.NEGATIVE_INFINITY;
  #printed = "";

  constructor(terminal: Terminal, options: { readonly json: boolean }) {
    this.#terminal = terminal;
    this.#json = options.json;
  }

  /**
   * Shows how far an exploration is, as a progress bar, lines of text or JSON.
   *
   * @param at present time of a monotonic clock in milliseconds
   */
  show(status: ExplorationStatus, at: number): void {
    const rate = this.#rate({ at, pages: status.progress.completed });
    if (this.#json) this.#showJson(status);
    else if (this.#terminal.live) this.#terminal.overwrite(this.#bar(status, rate));
    else this.#showLine(status, rate, at);
  }

  /** Ends the line of the progress bar, so that later output starts on a new line. */
  end(): void {
    if (!this.#json && this.#terminal.live) this.#terminal.overwrite("");
  }

  /** Returns the number of pages per second, measured over the last `WINDOW` milliseconds. */
  #rate(sample: Sample): number {
    this.#samples = [...this.#samples.filter(({ at }) => at > sample.at - WINDOW), sample];
    const [first] = this.#samples;
    if (first === undefined || first.at === sample.at) return 0;
    return (sample.pages - first.pages) / ((sample.at - first.at) / 1_000);
  }

  #showJson(status: ExplorationStatus): void {
    const line = JSON.stringify({
      type: "progress",
      job_id: status.job_id,
      status: status.status,
      ...status.progress,
      ...(status.interactive ? { interactive: { ...status.interactive, decisions: undefined } } : {}),
    });
    if (line === this.#printed) return;
    this.#printed = line;
    this.#terminal.out(line);
  }

  #showLine(status: ExplorationStatus, rate: number, at: number): void {
    if (at - this.#printedAt < WINDOW) return;
    this.#printedAt = at;
    this.#terminal.err(figures(status, rate));
  }

  #bar(status: ExplorationStatus, rate: number): string {
    const { completed, failed, queued } = status.progress;
    const known = completed + failed + queued;
    const filled = known === 0 ? 0 : Math.round((BAR * (completed + failed)) / known);
    const line = `[${"█".repeat(filled)}${"·".repeat(BAR - filled)}] ${figures(status, rate)}`;
    return line.length < this.#terminal.columns ? line : `${line.slice(0, this.#terminal.columns - 2)}…`;
  }
}

function figures({ status, progress, interactive }: ExplorationStatus, rate: number): string {
  const { completed, queued, failed, searchable, current_url } = progress;
  const indexing = queued === 0 && searchable < completed ? `, ${searchable} searchable` : "";
  // Controls are pressed after all pages were found. So in this phase, the line shows the numbers of states
  // and presses instead of the pages per second.
  if (interactive?.last !== undefined && interactive.stopped_by === undefined) {
    const { actions, states, last } = interactive;
    return `${completed} pages, ${states} states, ${actions} presses  ${last}`;
  }
  const where = current_url === null ? status : current_url;
  return `${completed} pages (${rate.toFixed(1)}/s), ${queued} queued, ${failed} failed${indexing}  ${where}`;
}
