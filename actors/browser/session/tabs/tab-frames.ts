/**
 * The frames of one tab, in whatever process they run: which frames exist, their parents, and calls into
 * them. A cross-site frame has its own process and DevTools session, and Chromium attaches to it before the
 * frame's first script runs. Each document has an isolated world with the page script.
 */

import { withoutPasswords } from "../../../../machines/session/state/passwords-in-addresses.ts";
import { type Connection, ProtocolError, type Session } from "../../chromium/devtools-connection.ts";
import { pageScripts, WORLD_NAME } from "../../page-script/page-script-bundle.ts";
import type { ShownParts, World } from "../../page-script/page-script-interface.ts";
import { STOPPED_BINDING, type StoppedSending } from "../../page-script/stopped-password-form-report.ts";
import { displayedAddressOf } from "./address-shown-by-browser.ts";

/**
 * A document that is loaded in a frame. When the frame loads another document, a new object replaces this
 * one, and calls with the old object are rejected.
 */
export interface Frame {
  readonly id: string;
  readonly parent: string | undefined;
  readonly session: Session;
  /** Chromium's id of the document. It changes with every document that the frame loads. */
  loaderId: string;
  url: string;
  /**
   * Id of the execution context of the document's isolated world. The world is created when it is first
   * needed.
   */
  world: Promise<number> | undefined;
  /**
   * Resolves when the bundle `world` of the page script has run in the frame's isolated world, with the id of
   * this world. Undefined until the bundle is sent.
   */
  scriptedWorld: Promise<number> | undefined;
  /**
   * Resolves when the bundle `shown` of the page script has run in the frame's isolated world, with the id of
   * this world. Undefined until the bundle is sent.
   */
  shownWorld: Promise<number> | undefined;
  /**
   * Key of the parent document in which the element of this frame was last registered (see `documentKey` and
   * `registerFrameElements`).
   */
  registeredIn: string | undefined;
}

export interface FramesEvents {
  /** Called when the main frame shows another document. */
  readonly navigated: (url: string) => void;
  /** Called when the main frame has changed its address without loading a document. */
  readonly addressChanged: (url: string) => void;
  /** Called when any frame shows another document. The main frame is included. */
  readonly arrived: (frame: Frame) => void;
  /**
   * Called before Chromium sends events of a target: a page, or a frame that has a process of its own. The
   * scripts of the target are paused until this call returns.
   */
  readonly followed: (session: Session) => void;
  /** Called when a form with a password was stopped, because the browser would have sent it by GET. */
  readonly passwordFormStopped: (what: StoppedSending) => void;
}

type Part = keyof World;
type Method<P extends Part> = Extract<keyof World[P], string>;
type Called<P extends Part, M extends Method<P>> = World[P][M] extends (...args: infer A) => infer R
  ? { args: A; result: R }
  : never;

/**
 * The global object of the isolated world, with the properties that the functions of this file use inside of
 * the page.
 */
interface PageWorld {
  readonly cairn?: World;
}

function identifyNode(this: Element): number | undefined {
  return (globalThis as PageWorld).cairn?.identity?.identify(this);
}

function registerFrame(this: Element, frameId: string): void {
  (globalThis as PageWorld).cairn?.registry.frames.set(this, frameId);
}

function takeSuspects(): readonly Element[] {
  return (globalThis as PageWorld).cairn?.registry.takeSuspects() ?? [];
}

function addClosedRoot(this: Element, root: ShadowRoot): void {
  (globalThis as PageWorld).cairn?.registry.addClosedRoot(this, root);
}

/**
 * Returns an expression that calls a method of the page script. Its value is the result as JSON, or `undefined`
 * when the document does not have this part yet. Chromium evaluates an expression sooner than it calls a function
 * with arguments.
 *
 * @param later whether the method returns a promise
 */
export function callOf(part: string, method: string, args: readonly unknown[], later: boolean): string {
  const given = JSON.stringify(JSON.stringify(args));
  const call = `globalThis.cairn.${part}.${method}(...JSON.parse(${given}))`;
  const json = `globalThis.cairn?.${part} && JSON.stringify((${later ? "await " : ""}${call}) ?? null)`;
  return later ? `(async () => ${json})()` : json;
}

/** The parts of the page script in the bundle `shown`. */
const SHOWN_PARTS: ReadonlySet<Part> = new Set<keyof ShownParts>(["shownContent", "pageMessages"]);

/** The rejection of a call whose document was replaced. The next document is loading or has loaded. */
export class DocumentGone extends Error {}

export class Frames {
  readonly #connection: Connection;
  readonly #main: string;
  readonly #events: FramesEvents;
  readonly #frames = new Map<string, Frame>();
  /**
   * A script that `runBeforeScripts` has set. It runs in the isolated world of each new document, before the
   * page's own scripts.
   */
  #prelude: string | undefined;
  /**
   * Chromium's id (loader id) of the initial empty document. It is removed when the listener-tracking script
   * has run in this document.
   */
  #untrackedLoader: string | undefined;

  constructor(connection: Connection, main: string, events: FramesEvents) {
    this.#connection = connection;
    this.#main = main;
    this.#events = events;
  }

  /**
   * Starts to handle Chromium's events of a target: a page, or a frame that has a process of its own. The
   * caller may keep the scripts of the target paused until the promise has resolved.
   */
  async follow(session: Session, empty = false): Promise<void> {
    this.#events.followed(session);
    // Whether the page script also runs in the current document, and not only in new documents. The initial
    // empty document does not need it, because the tab will navigate to another document. If content is
    // written into the empty document itself, `trackListeners` must be called before.
    const runImmediately = !empty;
    session.on("Page.frameAttached", ({ frameId, parentFrameId }) => {
      if (!this.#frames.has(frameId)) this.#addFrame(frameId, parentFrameId, session, "", "");
    });
    session.on("Page.frameNavigated", ({ frame }) => {
      this.#navigated(frame.id, frame.parentId, session, frame.loaderId, displayedAddressOf(frame));
    });
    session.on("Page.navigatedWithinDocument", ({ frameId, url }) => {
      const frame = this.#frames.get(frameId);
      if (frame) frame.url = withoutPasswords(url);
      if (frameId === this.#main) this.#events.addressChanged(withoutPasswords(url));
    });
    session.on("Runtime.bindingCalled", ({ name, payload }) => {
      if (name === STOPPED_BINDING)
        this.#events.passwordFormStopped(payload === "address" ? "address" : "form");
    });
    session.on("Page.frameDetached", ({ frameId, reason }) => {
      // Chromium also reports a frame as detached when it moves to another process. It still exists then, so
      // it is not removed.
      if (reason === "remove") this.#remove(frameId);
    });
    session.also("Runtime.executionContextCreated", ({ context: { id, name, auxData } }) => {
      if (name === WORLD_NAME) this.#worldCreated(session, String(auxData?.frameId), id);
    });
    session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
      const inner = this.#connection.session(sessionId);
      if (targetInfo.type === "worker") return void this.#startWorker(session, inner);
      const frame = this.#frames.get(targetInfo.targetId);
      if (frame) this.#frames.set(frame.id, { ...frame, session: inner, world: undefined });
      // The error is ignored: the frame was removed while its target was being prepared.
      this.follow(inner).catch(() => {});
    });
    session.on("Target.detachedFromTarget", ({ sessionId }) => {
      for (const frame of [...this.#frames.values()]) {
        if (frame.session.id !== sessionId || frame.id === this.#main) continue;
        this.#connection.drop(frame.session);
      }
    });
    const scripts = await pageScripts();
    const [, { frameTree }] = await Promise.all([
      session.send("Page.enable"),
      session.send("Page.getFrameTree"),
      session.send("Runtime.addBinding", { name: STOPPED_BINDING, executionContextName: WORLD_NAME }),
      session.send("Page.addScriptToEvaluateOnNewDocument", {
        source: scripts.first,
        worldName: WORLD_NAME,
        runImmediately,
      }),
      session.send("Performance.enable"),
      ...(this.#prelude === undefined ? [] : [this.#addPrelude(session, this.#prelude)]),
      session.send("Page.addScriptToEvaluateOnNewDocument", { source: scripts.marks, runImmediately }),
      session.send("Target.setAutoAttach", {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: "iframe" }, { type: "worker" }],
      }),
      session.send("Runtime.runIfWaitingForDebugger"),
    ]);
    const addTree = ({ frame, childFrames = [] }: typeof frameTree): void => {
      const known = this.#frames.get(frame.id);
      if (!known)
        this.#addFrame(frame.id, frame.parentId, session, frame.loaderId, displayedAddressOf(frame));
      else if (known.session === session && known.loaderId === "") {
        known.loaderId = frame.loaderId;
        known.url = displayedAddressOf(frame);
        this.#events.arrived(known);
      }
      for (const child of childFrames) addTree(child);
    };
    addTree(frameTree);
    if (empty) this.#untrackedLoader = frameTree.frame.loaderId;
  }

  /**
   * Starts a web worker of a page. Chromium pauses each new web worker while `waitForDebuggerOnStart` is on,
   * even if no DevTools session is attached to it.
   */
  async #startWorker(page: Session, worker: Session): Promise<void> {
    try {
      await worker.send("Runtime.runIfWaitingForDebugger");
      await page.send("Target.detachFromTarget", { sessionId: worker.id });
    } catch {
      // The error is ignored: the worker or its page was closed.
    }
    this.#connection.drop(worker);
  }

  /**
   * Must be called before content is written into the initial `about:blank`. The script that records
   * listeners has not run in this document yet, so it is run now.
   */
  async trackListeners(): Promise<void> {
    if (this.main.loaderId !== this.#untrackedLoader) return;
    this.#untrackedLoader = undefined;
    await this.main.session.send("Runtime.evaluate", { expression: (await pageScripts()).marks });
  }

  get main(): Frame {
    const frame = this.#frames.get(this.#main);
    if (!frame) throw new DocumentGone("The page has no document yet.");
    return frame;
  }

  get(id: string): Frame | undefined {
    return this.#frames.get(id);
  }

  all(): readonly Frame[] {
    return [...this.#frames.values()];
  }

  /** Returns a key that identifies a document among all documents of this tab. */
  static documentKey(frame: Frame): string {
    return `${frame.session.id}/${frame.id}/${frame.loaderId}`;
  }

  /**
   * Calls a method of the page script in a frame. Arguments and result are sent as JSON. Rejects with
   * `DocumentGone` when the document was replaced.
   */
  async call<P extends Part, M extends Method<P>>(
    frame: Frame,
    part: P,
    method: M,
    ...args: Called<P, M>["args"]
  ): Promise<Called<P, M>["result"]> {
    return await this.#call(frame, part, method, args, false);
  }

  /** Calls a method of the page script that returns a promise. */
  async callAsync<P extends Part, M extends Method<P>>(
    frame: Frame,
    part: P,
    method: M,
    ...args: Called<P, M>["args"]
  ): Promise<Awaited<Called<P, M>["result"]>> {
    // The cast is safe: the expression awaits the method's promise in the page, so this is the value with which
    // it has resolved.
    return (await this.#call(frame, part, method, args, true)) as Awaited<Called<P, M>["result"]>;
  }

  async #call<P extends Part, M extends Method<P>>(
    frame: Frame,
    part: P,
    method: M,
    args: Called<P, M>["args"],
    awaitPromise: boolean,
  ): Promise<Called<P, M>["result"]> {
    const scripts = await pageScripts();
    const expression = callOf(part, method, args, awaitPromise);
    return await this.#inDocument(frame, async () => {
      for (let tries = 0; tries < 2; tries++) {
        const executionContextId = await this.#world(frame);
        const isShownPart = SHOWN_PARTS.has(part);
        if (isShownPart) this.#equipShown(frame, scripts.shown, executionContextId);
        else this.#equip(frame, scripts.world, executionContextId);
        const { result, exceptionDetails } = await frame.session.send("Runtime.evaluate", {
          expression,
          contextId: executionContextId,
          returnByValue: true,
          awaitPromise,
        });
        if (exceptionDetails)
          throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        // The page sent the result as JSON, with `null` in place of `undefined`. `?? undefined` reverses this,
        // so the value has the method's result type and the cast is safe.
        if (typeof result.value === "string")
          return (JSON.parse(result.value) ?? undefined) as Called<P, M>["result"];
        if (isShownPart) await this.evaluate(frame, scripts.shown);
        else {
          await this.evaluate(frame, scripts.world);
          await this.evaluate(frame, scripts.actions);
        }
      }
      throw new DocumentGone("The document has no world of ours.");
    });
  }

  #equip(frame: Frame, expression: string, contextId: number): void {
    if (frame.scriptedWorld === frame.world) return;
    frame.scriptedWorld = frame.world;
    this.#bring(frame, expression, contextId);
  }

  #equipShown(frame: Frame, expression: string, contextId: number): void {
    if (frame.shownWorld === frame.world) return;
    frame.shownWorld = frame.world;
    this.#bring(frame, expression, contextId);
  }

  #bring(frame: Frame, expression: string, contextId: number): void {
    // The command is not awaited: if it fails, the next call into the document fails too and reports the
    // error.
    frame.session.send("Runtime.evaluate", { expression, contextId }).catch(() => {});
  }

  /** Returns the value of an expression in the isolated world. Rejects with `DocumentGone`. */
  async evaluate(frame: Frame, expression: string): Promise<unknown> {
    return await this.#inDocument(frame, async () => {
      const request = { expression, contextId: await this.#world(frame), returnByValue: true };
      const { result } = await frame.session.send("Runtime.evaluate", request);
      return result.value;
    });
  }

  /**
   * Sends a function as source text to the isolated world of a frame and returns its result. Rejects with
   * `DocumentGone`.
   */
  async run<Args extends readonly unknown[], Result>(
    frame: Frame,
    pageFunction: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    return await this.#inDocument(frame, async () => {
      const executionContextId = await this.#world(frame);
      const { result, exceptionDetails } = await frame.session.send("Runtime.callFunctionOn", {
        functionDeclaration: String(pageFunction),
        executionContextId,
        arguments: args.map((value) => ({ value })),
        returnByValue: true,
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      // The cast is safe: because of `returnByValue`, Chromium returns the function's own result as JSON.
      return result.value as Awaited<Result>;
    });
  }

  /**
   * Sends a request for a document, and checks after the answer that the frame still shows this document.
   * Otherwise the answer is discarded, because it may come from the new document: a new process counts
   * execution contexts from 1 again.
   */
  async #inDocument<Answer>(frame: Frame, request: () => Promise<Answer>): Promise<Answer> {
    const answer = await request().catch((error: unknown) => {
      if (!(error instanceof ProtocolError)) throw error;
      // The isolated world may no longer exist, so the next call requests a new one.
      frame.world = undefined;
      throw new DocumentGone(error.message);
    });
    this.#assertThere(frame);
    return answer;
  }

  #assertThere(frame: Frame): void {
    if (this.#frames.get(frame.id) !== frame) throw new DocumentGone("Another document has come.");
  }

  /**
   * Runs a function in the isolated world of each new document of this tab, before any script of the page.
   * Returns a function that stops this for further documents.
   */
  async runBeforeScripts<Args extends readonly unknown[]>(
    pageFunction: (...args: Args) => void,
    ...args: Args
  ): Promise<() => Promise<void>> {
    const { session } = this.main;
    this.#prelude = `(${pageFunction})(${args.map((value) => JSON.stringify(value)).join(", ")});`;
    const { identifier } = await this.#addPrelude(session, this.#prelude);
    return async () => {
      this.#prelude = undefined;
      await session.send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
    };
  }

  #addPrelude(session: Session, source: string): Promise<{ readonly identifier: string }> {
    return session.send("Page.addScriptToEvaluateOnNewDocument", { source, worldName: WORLD_NAME });
  }

  /** Returns the page script's number of a DOM node, which Chromium identifies by `backendNodeId`. */
  async idOfNode(frame: Frame, backendNodeId: number): Promise<number | undefined> {
    const executionContextId = await this.#world(frame);
    const { object } = await frame.session.send("DOM.resolveNode", { backendNodeId, executionContextId });
    const { result } = await frame.session.send("Runtime.callFunctionOn", {
      functionDeclaration: String(identifyNode),
      ...(object.objectId === undefined ? {} : { objectId: object.objectId }),
      returnByValue: true,
    });
    return typeof result.value === "number" ? result.value : undefined;
  }

  /** Makes the browser treat the frame as if the user had just clicked in it (a user gesture). */
  async giveUserGesture(frame: Frame): Promise<void> {
    const contextId = await this.#world(frame);
    await frame.session.send("Runtime.evaluate", { expression: "0", contextId, userGesture: true });
  }

  /**
   * Gives each document the ids of the child frames that its frame elements show. Snapshots then report the
   * id of the child frame.
   */
  async registerFrameElements(): Promise<void> {
    await Promise.all(
      this.all().map(async (frame) => {
        const parent = frame.parent === undefined ? undefined : this.#frames.get(frame.parent);
        if (!parent) return;
        const document = Frames.documentKey(parent);
        if (frame.registeredIn === document) return;
        try {
          const { backendNodeId } = await parent.session.send("DOM.getFrameOwner", { frameId: frame.id });
          const executionContextId = await this.#world(parent);
          const { object } = await parent.session.send("DOM.resolveNode", {
            backendNodeId,
            executionContextId,
          });
          await this.evaluate(parent, (await pageScripts()).first);
          await parent.session.send("Runtime.callFunctionOn", {
            functionDeclaration: String(registerFrame),
            ...(object.objectId === undefined ? {} : { objectId: object.objectId }),
            arguments: [{ value: frame.id }],
          });
          frame.registeredIn = document;
        } catch (error) {
          // The error is ignored: the frame or its parent was removed or has navigated, so this registration
          // is no longer needed.
          if (!(error instanceof ProtocolError) && !(error instanceof DocumentGone)) throw error;
        }
      }),
    );
  }

  /**
   * Gives the page script access to closed shadow roots. The page script lists elements that may have one;
   * Chromium returns the roots. Returns the number of roots that were found.
   */
  async openClosedRoots(frame: Frame): Promise<number> {
    const { session } = frame;
    try {
      const executionContextId = await this.#world(frame);
      const { result } = await session.send("Runtime.evaluate", {
        expression: `(${takeSuspects})()`,
        contextId: executionContextId,
      });
      if (result.objectId === undefined) return 0;
      const { result: properties } = await session.send("Runtime.getProperties", {
        objectId: result.objectId,
        ownProperties: true,
      });
      const opened = await Promise.all(
        properties.map(async ({ value }) => {
          if (value?.subtype !== "node" || value.objectId === undefined) return false;
          const { objectId } = value;
          const { node } = await session.send("DOM.describeNode", { objectId });
          const closed = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === "closed");
          if (!closed) return false;
          const { object } = await session.send("DOM.resolveNode", {
            backendNodeId: closed.backendNodeId,
            executionContextId,
          });
          await session.send("Runtime.callFunctionOn", {
            functionDeclaration: String(addClosedRoot),
            objectId,
            arguments: [{ objectId: object.objectId ?? "" }],
          });
          return true;
        }),
      );
      return opened.filter(Boolean).length;
    } catch (error) {
      // The document was replaced and its shadow roots no longer exist, so the number of opened roots is 0.
      if (error instanceof ProtocolError || error instanceof DocumentGone) return 0;
      throw error;
    }
  }

  #world(frame: Frame): Promise<number> {
    if (frame.world) return frame.world;
    this.#assertThere(frame);
    const creating = frame.session
      .send("Page.createIsolatedWorld", { frameId: frame.id, worldName: WORLD_NAME })
      .then(({ executionContextId }) => {
        // If the frame has loaded another document in the meantime, the new isolated world may belong to that
        // document. In that case, this call throws.
        this.#assertThere(frame);
        return executionContextId;
      });
    frame.world = creating;
    creating.catch(() => {
      if (frame.world === creating) frame.world = undefined;
    });
    return creating;
  }

  /**
   * Records the isolated world that Chromium has created with a document, so that the first call into the
   * document need not create one. The small bundle `shown` is sent while the document is loading, because it
   * is needed as soon as the document has loaded.
   */
  #worldCreated(session: Session, frameId: string, contextId: number): void {
    const frame = this.#frames.get(frameId);
    if (frame?.session !== session || frame.world) return;
    // The context id is recorded at once. When the next event arrives, the frame may already show another
    // document.
    const world = Promise.resolve(contextId);
    frame.world = world;
    if (frameId !== this.#main) return;
    void pageScripts().then(({ shown }) => {
      if (this.#frames.get(frameId) === frame && frame.world === world)
        this.#equipShown(frame, shown, contextId);
    });
  }

  #addFrame(id: string, parent: string | undefined, session: Session, loader: string, url: string): void {
    const unset = {
      world: undefined,
      scriptedWorld: undefined,
      shownWorld: undefined,
      registeredIn: undefined,
    };
    const frame: Frame = { id, parent, session, loaderId: loader, url, ...unset };
    this.#frames.set(id, frame);
    this.#events.arrived(frame);
  }

  #navigated(id: string, parent: string | undefined, session: Session, loader: string, url: string): void {
    this.#addFrame(id, this.#frames.get(id)?.parent ?? parent, session, loader, url);
    if (id === this.#main) this.#events.navigated(url);
  }

  #remove(id: string): void {
    for (const child of [...this.#frames.values()]) if (child.parent === id) this.#remove(child.id);
    this.#frames.delete(id);
  }
}
