/**
 * Runs the layout engine (elkjs) in a thread. The thread exists only while diagrams are drawn, because it
 * takes 70 MB of memory.
 */
import type { ELK, ElkNode } from "elkjs/lib/elk-api.js";
import { Defect, Unavailable } from "../../../machines/errors.ts";
import { consoleLimits } from "../console-limits.ts";

interface Engine {
  readonly elk: ELK;
  readonly thread: Worker;
  /**
   * A promise that rejects when the layout thread fails. Each layout also waits for this promise, because a
   * failed thread sends no answer.
   */
  readonly broken: Promise<never>;
}

let engine: Promise<Engine> | undefined;
let underWay = 0;
let idle: ReturnType<typeof setTimeout> | undefined;
/**
 * A promise that resolves when the last requested layout has ended. Layouts run one after another. So the
 * time limit of a layout starts only when the layout before it has ended.
 */
let turn: Promise<unknown> = Promise.resolve();

async function start(): Promise<Engine> {
  const { default: Elk } = await import("elkjs/lib/elk-api.js");
  const thread = new Worker(import.meta.resolve("elkjs/lib/elk-worker.min.js"));
  const broken = new Promise<never>((_, reject) => {
    thread.addEventListener("error", (event) => {
      event.preventDefault();
      reject(new Defect("console.layout_broke", `The layout engine broke: ${event.message}`));
    });
  });
  // If the layout engine fails, the thread ends. The handler also prevents an unhandled rejection when no
  // layout waits for `broken`.
  broken.catch(() => stop());
  return { elk: new Elk({ workerFactory: () => thread }), thread, broken };
}

function stop(): void {
  const ending = engine;
  engine = undefined;
  void ending?.then(({ thread }) => thread.terminate());
}

/** Computes the layout of a graph after all layouts that were requested earlier. */
export async function layOut(graph: ElkNode): Promise<ElkNode> {
  const laidOut = turn.then(() => layOutNow(graph));
  // An error of this layout reaches its caller. The next layout starts in any case.
  turn = laidOut.catch(() => undefined);
  return await laidOut;
}

/**
 * Computes the layout of a graph. It does not wait for other layouts. Throws `console.no_layout` when the
 * computation exceeds its time limit.
 */
async function layOutNow(graph: ElkNode): Promise<ElkNode> {
  clearTimeout(idle);
  underWay += 1;
  engine ??= start();
  let late: ReturnType<typeof setTimeout> | undefined;
  try {
    const { elk, broken } = await engine;
    const deadline = new Promise<never>((_, reject) => {
      late = setTimeout(() => {
        stop();
        reject(
          new Unavailable(
            "console.no_layout",
            `The diagram could not be laid out within ${consoleLimits.layoutWithin} ms. Try again.`,
          ),
        );
      }, consoleLimits.layoutWithin);
    });
    return await Promise.race([elk.layout(graph), broken, deadline]);
  } finally {
    clearTimeout(late);
    underWay -= 1;
    if (underWay === 0) {
      idle = setTimeout(stop, consoleLimits.layoutIdle);
      idle.unref();
    }
  }
}
