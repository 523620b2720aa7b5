/**
 * The script of the console: follows `/ws/inspect`, highlights the diagram, writes the log, and requests new
 * renderings of parts with `data-live`.
 * The function is served as its own source, so it cannot use imports. It inserts only text and
 * server-rendered markup.
 */

export function consoleScript(): void {
  const RENEW_EVERY = 500;
  const LONGEST_WAIT = 10_000;
  const LOG_LINES = 500;
  /** Events that wait to be shown. Beyond it the oldest are dropped. */
  const MOST_WAITING = 1_000;

  interface Taken {
    readonly id: string;
    readonly source: string;
    readonly targets: readonly string[];
  }
  /** The fields of an inspection event that are used here; see machines/inspection/topic.ts. */
  interface InspectionEvent {
    readonly type: string;
    readonly kind: string;
    readonly id: string;
    readonly at: number;
    readonly source?: string;
    readonly event?: { readonly type: string };
    readonly applied?: boolean;
    readonly refused?: string;
    readonly transitions?: readonly Taken[];
    readonly snapshot?: { readonly active?: readonly string[] } | null;
    readonly waiting?: number;
    readonly phase?: string;
    readonly effect?: string;
    readonly timer?: string;
    readonly to?: string;
    readonly code?: string;
    readonly message?: string;
    readonly state?: string;
  }

  const follows = document.body.dataset.follows ?? "";
  const live = document.getElementById("live");
  const log = document.getElementById("log");

  function show(is: "on" | "off", words: string): void {
    if (!live) return;
    live.dataset.is = is;
    live.textContent = words;
  }

  // Server-rendered parts

  let renewing = false;
  let again = false;
  /** Number of events shown. A rendering that is older than the newest event must not replace the diagram. */
  let shownEvents = 0;

  async function renew(): Promise<void> {
    if (renewing) {
      again = true;
      return;
    }
    renewing = true;
    again = false;
    const before = shownEvents;
    try {
      const response = await fetch(location.href, { headers: { accept: "text/html" } });
      if (response.ok) {
        const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
        replaceParts(fresh);
        if (shownEvents === before) highlightFrom(fresh);
      } else
        show(
          "off",
          response.status === 404 ? "this actor is gone" : `cannot be renewed (${response.status})`,
        );
    } catch {
      show("off", "Cairn does not answer");
    }
    setTimeout(() => {
      renewing = false;
      if (again) void renew();
    }, RENEW_EVERY);
  }

  function replaceParts(fresh: Document): void {
    for (const part of document.querySelectorAll<HTMLElement>("[data-live]")) {
      const other = fresh.getElementById(part.id);
      if (!other || other.innerHTML === part.innerHTML) continue;
      keepOpen(part, other);
      markChanges(part, other);
      const focused = part.contains(document.activeElement) ? placeOf(document.activeElement) : undefined;
      part.replaceChildren(...other.childNodes);
      if (focused) part.querySelectorAll<HTMLElement>(focused.tag)[focused.index]?.focus();
    }
  }

  /** Keeps branches open or closed as the user left them. */
  function keepOpen(part: HTMLElement, other: HTMLElement): void {
    for (const branch of part.querySelectorAll<HTMLDetailsElement>("details[data-path]")) {
      const same = other.querySelector<HTMLDetailsElement>(
        `details[data-path="${CSS.escape(branch.dataset.path ?? "")}"]`,
      );
      if (same) same.open = branch.open;
    }
  }

  /** Highlights rows whose state changed. */
  function markChanges(part: HTMLElement, other: HTMLElement): void {
    for (const row of other.querySelectorAll<HTMLElement>("tr[data-actor]")) {
      const before = part.querySelector(
        `tr[data-actor="${CSS.escape(row.dataset.actor ?? "")}"] .state-name`,
      );
      if (before?.textContent === row.querySelector(".state-name")?.textContent) continue;
      row.classList.add("changed");
      setTimeout(() => row.classList.remove("changed"), 1_500);
    }
  }

  function placeOf(element: Element | null): { tag: string; index: number } | undefined {
    const part = element?.closest("[data-live]");
    if (!element || !part) return undefined;
    return { tag: element.tagName, index: [...part.querySelectorAll(element.tagName)].indexOf(element) };
  }

  // The diagram

  function highlight(name: string, attributes: readonly string[], ids: readonly string[]): void {
    for (const lit of document.querySelectorAll(`.chart .${name}`)) lit.classList.remove(name);
    for (const id of ids) {
      for (const attribute of attributes) {
        for (const found of document.querySelectorAll(`.chart [${attribute}="${CSS.escape(id)}"]`))
          found.classList.add(name);
      }
    }
  }

  /**
   * Takes the highlights from a new rendering when events were missed. The elements stay, so the diagram
   * keeps its scroll position.
   */
  function highlightFrom(fresh: Document): void {
    const lit = (root: Document, name: string, attribute: string) =>
      [...root.querySelectorAll(`.chart .${name}[${attribute}]`)].map(
        (part) => part.getAttribute(attribute) ?? "",
      );
    const active = lit(fresh, "active", "data-state");
    if (active.join() === lit(document, "active", "data-state").join()) return;
    highlight("active", ["data-state", "data-words"], active);
    highlight("taken", ["data-transition"], lit(fresh, "taken", "data-transition"));
  }

  /** Scrolls to the active state when the screen shows only part of the diagram. */
  function showActive(): void {
    const where = [...document.querySelectorAll(".chart .state.active")].at(-1);
    const window = where?.closest(".scroll");
    if (!where || !window) return;
    const box = where.getBoundingClientRect();
    const frame = window.getBoundingClientRect();
    window.scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
  }

  /** Transitions of one step are highlighted together. */
  let taken: string[] = [];

  // The log

  function time(at: number): string {
    return new Date(at).toISOString().slice(11, 23);
  }

  function write(at: number, words: string, important: string, rest: string, bad = ""): void {
    if (!log) return;
    const line = document.createElement("li");
    const when = document.createElement("time");
    when.textContent = time(at);
    const what = document.createElement("span");
    const strong = document.createElement("b");
    strong.textContent = important;
    what.append(words, strong);
    if (bad) {
      const wrong = document.createElement("span");
      wrong.className = "bad";
      wrong.textContent = ` ${bad}`;
      what.append(wrong);
    }
    if (rest) {
      const soft = document.createElement("span");
      soft.className = "soft";
      soft.textContent = ` ${rest}`;
      what.append(soft);
    }
    line.append(when, what);
    log.prepend(line);
    while (log.childElementCount > LOG_LINES) log.lastElementChild?.remove();
  }

  const shortId = (id: string) => id.split(".").slice(1).join(".") || id;

  function hear(received: InspectionEvent): void {
    shownEvents += 1;
    switch (received.type) {
      case "@xstate.event": {
        taken = [];
        const bad = received.refused ?? (received.applied === false ? "had no effect" : "");
        write(received.at, `${received.source ?? ""} → `, received.event?.type ?? "", "", bad);
        break;
      }
      case "@xstate.microstep": {
        const transitions = received.transitions ?? [];
        taken = [...taken, ...transitions.map(({ id }) => id)];
        highlight("taken", ["data-transition"], taken);
        highlight("active", ["data-state", "data-words"], received.snapshot?.active ?? []);
        for (const { source, targets } of transitions) {
          if (targets.length > 0)
            write(received.at, "", `${shortId(source)} → ${targets.map(shortId).join(", ")}`, "transition");
        }
        break;
      }
      case "@xstate.snapshot":
        highlight("active", ["data-state", "data-words"], received.snapshot?.active ?? []);
        void renew();
        break;
      case "@cairn.mailbox": {
        const mailbox = document.getElementById("mailbox");
        if (mailbox)
          mailbox.textContent = received.waiting
            ? `${received.waiting} of ${mailbox.dataset.capacity ?? "?"}`
            : "empty";
        break;
      }
      case "@cairn.effect":
        write(
          received.at,
          `effect ${received.phase}: `,
          received.effect ?? "",
          "",
          received.code ? `${received.code}: ${received.message ?? ""}` : "",
        );
        break;
      case "@cairn.timer":
        write(received.at, `timer ${received.phase}: `, received.timer ?? "", "");
        break;
      case "@cairn.send":
        if (received.phase === "sent")
          write(received.at, `to ${received.to ?? ""}: `, received.event?.type ?? "", "");
        break;
      case "@cairn.dead_letter":
        write(received.at, "dead letter: ", received.code ?? "", "", received.message);
        void renew();
        break;
      case "@cairn.passivated":
        write(received.at, "", "left memory", "until it is needed again");
        break;
      case "@xstate.actor":
        write(received.at, "", "loaded into memory", "");
        void renew();
        break;
      case "@cairn.state":
      case "@cairn.lease":
      case "@cairn.worker":
        void renew();
        break;
    }
  }

  // Event queue: shown in order, at most once per frame

  let waiting: InspectionEvent[] = [];
  let left = 0;

  function take(received: InspectionEvent): void {
    waiting.push(received);
    if (waiting.length > MOST_WAITING) {
      waiting.shift();
      left += 1;
    }
    if (waiting.length === 1) requestAnimationFrame(showWaiting);
  }

  function showWaiting(): void {
    const shown = waiting;
    waiting = [];
    if (left > 0 && shown[0]) write(shown[0].at, "", `${left} events`, "came too fast to be shown");
    left = 0;
    for (const received of shown) hear(received);
  }

  // The socket

  let epoch = "";
  let seq = 0;
  let pause = 500;

  function connect(): void {
    const query = epoch ? `${follows}&epoch=${encodeURIComponent(epoch)}&since=${seq}` : follows;
    const socket = new WebSocket(
      `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws/inspect?${query}`,
    );
    let silence: ReturnType<typeof setTimeout> | undefined;
    const watchSilence = (patience: number): void => {
      clearTimeout(silence);
      silence = setTimeout(() => socket.close(), patience);
    };
    let patience = 60_000;
    socket.onmessage = ({ data }) => {
      watchSilence(patience);
      const message = JSON.parse(String(data)) as {
        readonly type: string;
        readonly seq: number;
        readonly epoch?: string;
        readonly resumed?: boolean;
        readonly heartbeat_ms?: number;
        readonly event?: InspectionEvent;
      };
      seq = message.seq;
      if (message.type === "hello") {
        epoch = message.epoch ?? "";
        pause = 500;
        patience = (message.heartbeat_ms ?? 15_000) * 3;
        show("on", "live");
        // Events between the rendering and the greeting, or lost ones, require a new rendering.
        if (!message.resumed) void renew();
      } else if (message.event) take(message.event);
    };
    socket.onclose = ({ reason }) => {
      clearTimeout(silence);
      show("off", reason ? `not live: ${reason}` : "not live, connecting again");
      setTimeout(connect, pause);
      pause = Math.min(pause * 2, LONGEST_WAIT);
    };
  }

  showActive();
  connect();
}
