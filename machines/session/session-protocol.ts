/**
 * The protocol of the actor kind `session`: its commands, queries and answers. Names and shapes are those of
 * the protocol specification, with additional fields.
 */
import { z } from "zod";
import { defineProtocol, noFields, noParams, typed } from "../actor-kind-protocol.ts";
import { readingLimits } from "../reading/page-reading-limits.ts";
import type { ActionOutcome } from "./actions/action-outcome.ts";
import { actionNames } from "./actions/browser-action-names-and-risks.ts";
import { type Action, readyWithin } from "./actions/browser-action-parameters.ts";
import { namesAction, requestedActionFields, wholeAction } from "./actions/read-requested-action.ts";
import type { Bindings, Fingerprint } from "./controls/element-of-fingerprint.ts";
import type { Located, Locators } from "./controls/find-element-by-locator.ts";
import type {
  ConsoleLog,
  ConsoleOptions,
  NetworkLog,
  NetworkOptions,
} from "./outputs/console-and-network-log-schemas.ts";
import type { DownloadRecord } from "./outputs/download-names.ts";
import type { Extracted, ExtractOptions } from "./outputs/extracted-content-schemas.ts";
import {
  type FrameRequest,
  holderSchema,
  inputEventsSchema,
  type ViewFrame,
} from "./outputs/live-view-schemas.ts";
import {
  livekitOptionsSchema,
  livekitShape,
  noticeSchema,
  videoReportSchema,
} from "./outputs/livekit-schemas.ts";
import type { Screenshot, ScreenshotOptions } from "./outputs/screenshot-schemas.ts";
import { loadingFields } from "./page/answer-fields-for-unsettled-page.ts";
import type { AnalysisData, AnalyzeRequest } from "./page/page-snapshot.ts";
import type { PageWithTexts, SessionPage } from "./page/session-page-links-and-forms.ts";
import { sessionLimits } from "./session-limits.ts";
import { isNamed, named, room } from "./session-name-in-request.ts";
import type { Restored } from "./session-restore-report.ts";
import { restoredSchema } from "./session-restore-report.ts";
import type { StorageState } from "./state/session-start-options.ts";
import { environmentShape } from "./state/session-start-options.ts";

export {
  type Screenshot,
  type ScreenshotOptions,
  screenshotRequestSchema,
  screenshotSchema,
} from "./outputs/screenshot-schemas.ts";
export { type RoomRef, roomNameSchema, roomOf } from "./session-name-in-request.ts";

/** The state of a session as its callers see it. */
export type SessionPhase = "absent" | "closed" | "starting" | "waking" | "live" | "hibernated" | "failed";

export const roomRefSchema = z.object(room).strict().refine(isNamed, named);

const { viewport } = sessionLimits;

export const startSessionSchema = z
  .object({
    ...room,
    initial_url: z
      .string()
      .min(1)
      .max(readingLimits.urlLength)
      .optional()
      .describe("Address to open at once"),
    viewport_width: z.number().int().min(100).max(7_680).default(viewport.width).describe("In CSS pixels"),
    viewport_height: z.number().int().min(100).max(7_680).default(viewport.height).describe("In CSS pixels"),
    ready_within: readyWithin.optional(),
    ...livekitShape,
    ...environmentShape,
  })
  .strict()
  .refine(isNamed, named);

/** The options with which a session was started, as the actor stores them. */
const sessionOptionsSchema = z
  .object({
    environment: z
      .string()
      .exactOptional()
      .describe("The encrypted environment; see session-start-options.ts"),
    initial_url: z.string().nullable(),
    viewport_width: z.number().int(),
    viewport_height: z.number().int(),
    ready_within: z.number().exactOptional().describe("Longest wait for a new page, in seconds"),
    livekit: livekitOptionsSchema.exactOptional().describe("Absent: without a LiveKit room"),
  })
  .readonly();
export type SessionOptions = z.infer<typeof sessionOptionsSchema>;

const actionShape = z.object({ name: z.enum(actionNames), params: z.record(z.string(), z.unknown()) });

/**
 * An action whose parameters `parseAction` has validated. They are not validated again here, because typed
 * text in them is encrypted.
 */
const parsedActionSchema = z.custom<Action>(
  (value) => actionShape.safeParse(value).success,
  "an action has a known name and params",
);

const failing = { error: z.string().optional(), code: z.string().optional() };

export const sessionStateSchema = z.object({
  status: z.enum(["started", "paused", "resumed", "closed", "error"]),
  room_name: z.string(),
  ...failing,
  ...loadingFields,
  http_status: z
    .number()
    .optional()
    .describe("The server answered the initial address with this error status, 400 or higher"),
});

export const recoveredSchema = z.object({
  status: z.enum(["recovered", "error"]),
  room_name: z.string(),
  restored: restoredSchema.optional(),
  ...failing,
});

/** What happens to an action while a person controls the browser: `refuse` it, or let it `wait`. */
export const whenHeldSchema = z.enum(["refuse", "wait"]);

export const executeActionSchema = z
  .object({
    ...room,
    ...requestedActionFields,
    action: wholeAction,
    id: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("A repeated call with the same id acts once and returns the same outcome"),
    retry: z
      .boolean()
      .default(false)
      .describe(
        "A stale element is looked for on the page of now, and acted on where nothing else can be meant",
      ),
    when_held: whenHeldSchema
      .default("refuse")
      .describe("While a person controls the browser: refuse fails as `held`, wait acts after the hand-over"),
  })
  .strict()
  .refine(isNamed, named)
  .refine(namesAction, { path: ["action_type"], message: "action_type is needed, or a whole action" });

export const sessionOutcomeSchema = z.object({
  success: z.boolean(),
  error: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});

export const clickByIndexSchema = z
  .object({
    ...room,
    highlightIndex: z.number().int().min(0).optional().describe("highlight_index of an analysis"),
    index: z.number().int().min(0).optional().describe("The same, by its other name"),
    id: z.string().min(1).max(200).optional().describe("The same click asked for again with it is done once"),
  })
  .strict()
  .refine(isNamed, named)
  .refine(({ highlightIndex, index }) => (highlightIndex ?? index) !== undefined, {
    path: ["highlightIndex"],
    message: "highlightIndex is needed",
  });

export const clickAnswerSchema = z.object({
  success: z.boolean(),
  data: z
    .object({
      clicked: z.boolean(),
      elementFound: z.boolean(),
      elementStillExists: z.boolean(),
      elementInfo: z
        .object({
          tagName: z.string(),
          textContent: z.string().optional(),
          attributes: z.record(z.string(), z.string()),
        })
        .optional(),
    })
    .loose()
    .optional(),
  error: z.string().optional(),
});
export type ClickAnswer = z.infer<typeof clickAnswerSchema>;

export const browserContextSchema = z.object({
  url: z.string(),
  title: z.string(),
  ready_state: z.string(),
  scroll_x: z.number(),
  scroll_y: z.number(),
  viewport_width: z.number(),
  viewport_height: z.number(),
  cursor_x: z.number(),
  cursor_y: z.number(),
  tab: z.number().int().describe("Number of the tab that is shown"),
  tabs: z.array(z.object({ url: z.string() })),
  restored: restoredSchema
    .optional()
    .describe("It came back from hibernation, or after a crash; only in the first answer after that"),
  video: videoReportSchema.optional().describe("The video in the LiveKit room"),
});
export type BrowserContextInfo = z.infer<typeof browserContextSchema>;

export const screenContentSchema = browserContextSchema.omit({ ready_state: true }).extend({
  dom_summary: z
    .string()
    .describe("Title, headings, landmarks, names of controls, text; no values of fields"),
  visible_elements_count: z.number().int(),
});
export type ScreenContent = z.infer<typeof screenContentSchema>;

/** The answer of the query by which the session service polls the state of a session. */
export interface SessionStatus {
  readonly phase: SessionPhase;
  /** Address of the active tab after the last action. */
  readonly url: string;
  /** Outcome of opening the session's first address. */
  readonly opened: ActionOutcome | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly restored: Restored | null;
  /** Position of the session in the queue for a free browser of the node. */
  readonly position: number | null;
}

/** Who has acted on the page that a session shows, since the session has reached this page. */
export interface ActorsOnPage {
  /** The walks and dialogues, with addresses such as `walk/a1`, and whether they may have entered a value. */
  readonly tasks: readonly { readonly task: string; readonly has_entered: boolean }[];
  /** Whether others may have acted too: callers, a person in the live view, or actions that are no longer stored. */
  readonly others: boolean;
}

export interface OutcomeAnswer {
  /** The action's outcome; `null` while it is not known yet. */
  readonly outcome: ActionOutcome | null;
  /** True if the session has never received the action, or no longer stores its outcome. */
  readonly unknown?: boolean;
  readonly position?: number | null;
}

/** A part of a downloaded file. */
export interface FilePiece {
  readonly record: DownloadRecord;
  /** The content of this part of the file, in base64. */
  readonly data: string;
  /** Position in the file at which the next part starts; `null` at the end. */
  readonly next: number | null;
}

/** The commands and queries of a session actor, whose address is `session/<room_name>`. */
export const sessionProtocol = defineProtocol({
  commands: {
    START: {
      fields: z.object({ options: sessionOptionsSchema }),
      reply: z.object({ existing: z.boolean() }),
    },
    ACT: {
      fields: z.object({
        action: parsedActionSchema,
        called: z.string().optional(),
        job_id: z.string().optional(),
        retry: z.boolean().optional(),
        when_held: whenHeldSchema.optional(),
        task: z.string().optional().describe("Address of the walk or dialogue that requests the action"),
        asks_before_leaving: z
          .boolean()
          .optional()
          .describe("The question of the page before it is left stays open, instead of being accepted"),
      }),
      reply: z.object({ id: z.string() }),
    },
    /** Restores a hibernated session, because a query needs the session's browser. */
    WAKE: { fields: noFields, reply: typed<unknown>() },
    RECOVER: { fields: noFields, reply: typed<unknown>() },
    /** Pauses the video of the session. Actions of the session continue. */
    PAUSE: { fields: noFields, reply: typed<unknown>() },
    RESUME: { fields: noFields, reply: typed<unknown>() },
    RECORD: { fields: z.object({ name: z.string() }), reply: z.object({ recording_id: z.string() }) },
    STOP_RECORDING: { fields: noFields, reply: z.object({ recording_id: z.string().nullable() }) },
    /**
     * A person takes control of the browser, or extends the time of control. Without an extension, the person
     * loses control after a time limit.
     */
    TAKE_CONTROL: {
      fields: z.object({ holder: holderSchema, name: z.string() }),
      reply: z.object({ holder: z.string() }),
    },
    RELEASE_CONTROL: { fields: z.object({ holder: holderSchema }), reply: typed<unknown>() },
    /** A signed webhook of the LiveKit server. A participant who joins wakes a hibernated session. */
    LIVEKIT: { fields: noticeSchema, reply: typed<unknown>() },
    CLOSE: { fields: noFields, reply: typed<unknown>() },
  },
  queries: {
    analyze: { params: typed<AnalyzeRequest>(), result: typed<AnalysisData>() },
    context: { params: noParams, result: typed<BrowserContextInfo>() },
    content: { params: noParams, result: typed<ScreenContent>() },
    screenshot: { params: typed<ScreenshotOptions>(), result: typed<Screenshot>() },
    /** The next frame of the live view; `null` if the page did not change within the time limit. */
    frame: { params: typed<FrameRequest>(), result: typed<ViewFrame | null>() },
    /** Input events (mouse and keyboard) of the person who has control, in order. */
    input: {
      params: z.object({ holder: holderSchema, events: inputEventsSchema }),
      result: typed<{ readonly applied: number }>(),
    },
    extract: { params: typed<ExtractOptions>(), result: typed<Extracted>() },
    /** The links, controls and forms of the session's page. */
    page: { params: noParams, result: typed<SessionPage>() },
    /** The short texts of the session's page, and the rows of its lists. */
    texts: { params: noParams, result: typed<PageWithTexts>() },
    /**
     * Finds the elements that locators describe. The result has the same keys as `locators`: paths of
     * parameters, such as `fields.0.index`. The query waits for the elements up to `within` milliseconds.
     */
    locate: {
      params: z.object({ locators: typed<Locators>(), within: z.number().min(0) }),
      result: typed<Readonly<Record<string, Located>>>(),
    },
    bind: {
      params: typed<{ readonly targets: Readonly<Record<string, Fingerprint>>; readonly within: number }>(),
      result: typed<Bindings>(),
    },
    console: { params: typed<ConsoleOptions>(), result: typed<ConsoleLog>() },
    network: { params: typed<NetworkOptions>(), result: typed<NetworkLog>() },
    storageState: { params: z.object({ databases: z.boolean() }), result: typed<StorageState>() },
    files: { params: noParams, result: typed<readonly DownloadRecord[]>() },
    file: { params: z.object({ id: z.string(), from: z.number().int() }), result: typed<FilePiece>() },
    removeFile: { params: z.object({ id: z.string() }), result: typed<unknown>() },
    /** Connects the session to its LiveKit room again, if it has one. */
    rejoin: { params: noParams, result: typed<unknown>() },
    /**
     * Returns the state of the session. If `wait` is set and the session is starting or being restored, the
     * answer comes only after the next change.
     */
    phase: { params: z.object({ wait: z.boolean() }), result: typed<SessionStatus>() },
    /**
     * Returns the outcome of an action. While the outcome is unknown, the query waits for the next change of
     * the session.
     */
    outcome: { params: z.object({ id: z.string() }), result: typed<OutcomeAnswer>() },
    /** Who has acted on the page that the session shows. */
    actors_on_page: { params: noParams, result: typed<ActorsOnPage>() },
  },
});
export type SessionProtocol = typeof sessionProtocol;
