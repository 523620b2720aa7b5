/**
 * Runs the page script once in an empty page, before a session takes the page. Chromium keeps the compiled
 * code for the process of the page, so the first document and the first snapshot of the session take less
 * time. The script runs in a frame that is removed again, so it leaves nothing in the document of the page.
 */
import { pageScripts, WORLD_NAME } from "../page-script/page-script-bundle.ts";
import type { World } from "../page-script/page-script-interface.ts";
import { callOf } from "../session/tabs/tab-frames.ts";
import type { Session } from "./devtools-connection.ts";

/**
 * HTML of the frame in which the page script is run once in advance. It contains the common kinds of elements, so that
 * Chromium compiles the code for each of them.
 */
const SAMPLE = `<h1>Title</h1><nav><ul><li><a href="#">Link</a></li></ul></nav>
  <form><label>Text <input></label><label><input type="checkbox"> Check</label>
  <select><option>Option</option></select><textarea></textarea><button>Send</button></form>
  <table><tr><th>Head</th></tr><tr><td onclick="">Cell</td></tr></table><p>Text</p>`;

const SURVEY: Parameters<World["shownContent"]["survey"]> = [true];
const SNAPSHOT: Parameters<World["snapshots"]["take"]> = [
  { since: 0, shown: true, rendered: true, stamp: "" },
];

export async function compilePageScript(session: Session): Promise<void> {
  const { first, shown, world } = await pageScripts();
  const run = async (expression: string, contextId?: number): Promise<void> => {
    const { exceptionDetails } = await session.send("Runtime.evaluate", {
      expression,
      ...(contextId === undefined ? {} : { contextId }),
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  };
  const frame = "document.body.appendChild(document.createElement('iframe'))";
  await run(`${frame}.contentDocument.body.innerHTML = ${JSON.stringify(SAMPLE)}`);
  const { frameTree } = await session.send("Page.getFrameTree");
  for (const { frame } of frameTree.childFrames ?? []) {
    const { executionContextId } = await session.send("Page.createIsolatedWorld", {
      frameId: frame.id,
      worldName: WORLD_NAME,
    });
    const survey = callOf("shownContent", "survey", SURVEY, false);
    const snapshot = callOf("snapshots", "take", SNAPSHOT, false);
    for (const expression of [first, shown, survey, world, snapshot]) {
      await run(expression, executionContextId);
    }
  }
  await run("document.body.replaceChildren()");
}
