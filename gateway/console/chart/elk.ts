/**
 * The layout engine (elkjs), in a thread that is there only while something is drawn: it takes 70 MB.
 *
 * Neighbours: `layout.ts` makes the graphs and reads the answers; nothing else knows of elkjs.
 */
import type { ELK, ElkNode } from "elkjs/lib/elk-api.js";
import { Unavailable } from "../../../machines/errors.ts";
import { limits } from "../../../machines/limits.ts";

interface Engine {
  readonly elk: ELK;
  readonly thread: Worker;
}

let engine: Promise<Engine> | undefined;
let underWay = 0;
let idle: ReturnType<typeof setTimeout> | undefined;

async function start(): Promise<Engine> {
  const { default: Elk } = await import("elkjs/lib/elk-api.js");
  const thread = new Worker(import.meta.resolve("elkjs/lib/elk-worker.min.js"));
  // Whatever is not answered because the thread broke is refused by the deadline below.
  thread.addEventListener("error", (event) => event.preventDefault());
  return { elk: new Elk({ workerFactory: () => thread }), thread };
}

function stop(): void {
  const ending = engine;
  engine = undefined;
  void ending?.then(({ thread }) => thread.terminate());
}

/** The graph with a place for everything; `console.no_layout` when the engine does not answer. */
export async function layOut(graph: ElkNode): Promise<ElkNode> {
  clearTimeout(idle);
  underWay += 1;
  engine ??= start();
  let late: ReturnType<typeof setTimeout> | undefined;
  try {
    const { elk } = await engine;
    const deadline = new Promise<never>((_, reject) => {
      late = setTimeout(() => {
        stop();
        reject(
          new Unavailable(
            "console.no_layout",
            `The diagram could not be laid out within ${limits.console.layoutWithin} ms. Try again.`,
          ),
        );
      }, limits.console.layoutWithin);
    });
    return await Promise.race([elk.layout(graph), deadline]);
  } finally {
    clearTimeout(late);
    underWay -= 1;
    if (underWay === 0) {
      idle = setTimeout(stop, limits.console.layoutIdle);
      idle.unref();
    }
  }
}
