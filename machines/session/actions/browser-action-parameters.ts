/** The actions of a session with their parameters, named as in the protocol specification. */
import { z } from "zod";
import type { Locators } from "../controls/find-element-by-locator.ts";
import { extractOptions } from "../outputs/extracted-content-schemas.ts";
import { pictureOptions } from "../outputs/screenshot-schemas.ts";
import { readyLimits, sessionLimits } from "../session-limits.ts";
import { loginSchema } from "../state/login-recipe.ts";
import type { ActionName } from "./browser-action-names-and-risks.ts";

const index = z.number().int().min(0).describe("highlight_index of an analysis");
const {
  longestWait,
  scrollAmount,
  keyDelay,
  longestKeyDelay,
  typingWithin,
  formFields,
  scrollPages,
  uploadContent,
  uploadFiles,
} = sessionLimits;

/** Maximum number of seconds to wait until a new document is ready. */
export const readyWithin = z
  .number()
  .min(0)
  .max(readyLimits.longest)
  .describe(
    `Seconds to wait at most until a new page shows something and has settled; ${readyLimits.within} by default`,
  );

const player = index
  .optional()
  .describe("The player, or anything in it; the largest that is seen without it");

export const actionSchemas = {
  navigate: z
    .strictObject({
      url: z.string().min(1).describe("http(s) address, or one relative to the page's"),
      ready_within: readyWithin.optional(),
    })
    .meta({ examples: [{ url: "https://example.com/" }, { url: "/orders" }] }),
  click: z.strictObject({ index }).meta({ examples: [{ index: 4 }, { role: "button", name: "Save" }] }),
  double_click: z
    .strictObject({ index })
    .meta({ examples: [{ index: 4 }, { role: "button", name: "Save" }] }),
  right_click: z.strictObject({ index }).meta({ examples: [{ index: 4 }, { role: "button", name: "Save" }] }),
  hover: z.strictObject({ index }).meta({ examples: [{ index: 4 }, { role: "button", name: "Save" }] }),
  input: z
    .strictObject({
      index,
      text: z.string(),
      clear: z.boolean().default(true).describe("Replace what the field holds; false: add to its end"),
    })
    .meta({
      examples: [
        { index: 4, text: "Vienna" },
        { label: "City", text: "Vienna" },
      ],
    }),
  clear: z.strictObject({ index }).meta({ examples: [{ index: 4 }, { label: "Country" }] }),
  type_slowly: z
    .strictObject({
      index,
      text: z.string().min(1),
      delay_ms: z.number().int().min(1).max(longestKeyDelay).default(keyDelay).describe("Between two keys"),
      clear: z.boolean().default(true).describe("Replace what the field holds; false: add to its end"),
    })
    .refine(({ text, delay_ms }) => text.length * delay_ms <= typingWithin, {
      path: ["text"],
      message: `it would take longer than ${typingWithin / 1_000} s to type`,
    })
    .meta({ examples: [{ index: 4, text: "Vienna", delay_ms: 80 }] }),
  select_all: z
    .strictObject({
      index: index.optional().describe("All of this; of the field with the cursor, or the page, without it"),
    })
    .meta({ examples: [{ index: 4 }, {}] }),
  copy: z
    .strictObject({
      index: index.optional().describe("What is chosen in it, or all of it; what is chosen without it"),
    })
    .meta({ examples: [{ index: 4 }, {}] }),
  cut: z
    .strictObject({
      index: index
        .optional()
        .describe("What is chosen in this field, or all; where the cursor is without it"),
    })
    .meta({ examples: [{ index: 4 }, {}] }),
  paste: z
    .strictObject({
      index: index.optional().describe("Where the cursor is without it"),
      text: z.string().min(1).optional().describe("What was copied last in this session without it"),
    })
    .meta({ examples: [{ index: 5 }, { index: 5, text: "a,b" }] }),
  drag_drop: z
    .strictObject({
      index: index.optional().describe("What is dragged"),
      selector: z.string().min(1).optional().describe("The same, by a CSS selector that means one element"),
      to_index: index.optional().describe("Where it is dropped"),
      to_selector: z
        .string()
        .min(1)
        .optional()
        .describe("The same, by a CSS selector that means one element"),
      by: z
        .strictObject({ x: z.number(), y: z.number() })
        .optional()
        .describe("Pixels to drag it, without a goal"),
      position: z.enum(["on", "before", "after"]).default("on").describe("Which part of the goal: for lists"),
      at: z
        .object({ x: z.number(), y: z.number() })
        .optional()
        .describe("Where in the goal, in pixels from the upper left of what is seen of it; else its middle"),
    })
    .refine(({ index, selector }) => (index === undefined) !== (selector === undefined), {
      path: ["index"],
      message: "an index or a selector of what is dragged is needed",
    })
    .refine(
      (goal) => [goal.to_index, goal.to_selector, goal.by].filter((one) => one !== undefined).length === 1,
      {
        path: ["to_index"],
        message: "one of to_index, to_selector and by is needed",
      },
    )
    .refine(({ by, at }) => by === undefined || at === undefined, {
      path: ["at"],
      message: "is a place in a goal",
    })
    .meta({
      examples: [
        { index: 3, to_index: 7 },
        { role: "listitem", name: "Card", to: { role: "list", name: "Done" } },
        { selector: "#card-1", to_selector: "#done", position: "on" },
        { index: 9, by: { x: 120, y: 0 } },
        { index: 3, to_index: 7, at: { x: 200, y: 80 } },
      ],
    }),
  find_text: z
    .strictObject({
      text: z
        .string()
        .min(1)
        .max(1_000)
        .describe("As it is read; upper and lower case are the same. The answer's index can be acted on"),
      nth: z.number().int().min(1).default(1).describe("Which occurrence"),
    })
    .meta({ examples: [{ text: "Terms of delivery" }] }),
  fill_form: z
    .strictObject({
      fields: z
        .array(
          z
            .strictObject({
              index: index.optional(),
              label: z.string().min(1).optional().describe("In place of the index, as analyze_page tells it"),
              value: z
                .union([z.string(), z.number(), z.boolean(), z.array(z.string()).min(1)], {
                  error: "a text, a number, true or false, or a list of options is needed",
                })
                .describe("A text or a number; true or false for what is checked; options of a list"),
            })
            .refine((field) => (field.index === undefined) !== (field.label === undefined), {
              path: ["index"],
              message: "an index or a label is needed",
            }),
        )
        .min(1)
        .max(formFields),
      submit: z.boolean().default(false).describe("Sends the form afterwards, as submit_form does"),
    })
    .meta({
      examples: [
        {
          fields: [
            { index: 2, value: "Ann" },
            { label: "Country", value: "Austria" },
            { index: 5, value: true },
          ],
        },
      ],
    }),
  submit_form: z
    .strictObject({
      index: index
        .optional()
        .describe(
          "Anything in the form; the only form there is without it; for fields without a form, the button that sends them",
        ),
    })
    .meta({ examples: [{ index: 2 }, {}] }),
  reset_form: z
    .strictObject({
      index: index.optional().describe("Anything in the form; the only form there is without it"),
    })
    .meta({ examples: [{ index: 2 }] }),
  upload_file: z
    .strictObject({
      index: index.describe(
        "The input for files, the button that asks for some, or what they are dropped on",
      ),
      path: z.string().min(1).optional().describe("In the folder uploads of CAIRN_DATA"),
      files: z
        .array(
          z.union([
            z.strictObject({ path: z.string().min(1) }),
            z.strictObject({
              name: z.string().min(1).max(255),
              content: z.string().max(uploadContent),
              encoding: z.enum(["utf8", "base64"]).default("utf8"),
              type: z.string().optional().describe("Media type; that of its name's ending without it"),
            }),
          ]),
        )
        .min(1)
        .max(uploadFiles)
        .optional(),
    })
    .refine(({ path, files }) => (path === undefined) !== (files === undefined), {
      path: ["path"],
      message: "a path or files are needed",
    })
    .meta({
      examples: [
        { index: 3, path: "invoice.pdf" },
        { index: 3, files: [{ name: "list.csv", content: "a,b" }] },
      ],
    }),
  play_video: z.strictObject({ index: player }).meta({ examples: [{}, { index: 3 }] }),
  pause_video: z.strictObject({ index: player }).meta({ examples: [{}] }),
  seek_video: z
    .strictObject({
      index: player,
      seconds: z.number().min(0).optional().describe("From the start"),
      by: z.number().optional().describe("From where it is; below 0 for back"),
    })
    .refine(({ seconds, by }) => (seconds === undefined) !== (by === undefined), {
      path: ["seconds"],
      message: "either seconds or by is needed",
    })
    .meta({ examples: [{ seconds: 90 }, { by: -10 }] }),
  adjust_volume: z
    .strictObject({
      index: player,
      volume: z.number().min(0).max(1).optional().describe("From 0 to 1"),
      by: z.number().min(-1).max(1).optional(),
    })
    .refine(({ volume, by }) => (volume === undefined) !== (by === undefined), {
      path: ["volume"],
      message: "either volume or by is needed",
    })
    .meta({ examples: [{ volume: 0.5 }, { by: -0.1 }] }),
  toggle_mute: z
    .strictObject({
      index: player,
      muted: z.boolean().optional().describe("The other of what it is without it"),
    })
    .meta({ examples: [{}, { muted: true }] }),
  accept_cookies: z
    .strictObject({
      choice: z
        .enum(["accept", "reject", "necessary"])
        .default("accept")
        .describe("What the banner is answered; reject and necessary stand in for each other"),
    })
    .meta({ examples: [{}, { choice: "reject" }] }),
  pick_date: z
    .strictObject({
      index,
      date: z
        .union([z.iso.date(), z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "2026-11-22, or a month, 2026-11")])
        .optional()
        .describe("2026-11-22; 2026-11 in a field for months"),
      time: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "a time such as 14:30")
        .optional()
        .describe("14:30, in a field that holds one"),
    })
    .refine(({ date, time }) => date !== undefined || time !== undefined, {
      path: ["date"],
      message: "a date is needed, or a time",
    })
    .meta({
      examples: [
        { index: 6, date: "2026-11-22" },
        { index: 7, date: "2026-11-22", time: "14:30" },
      ],
    }),
  evaluate: z
    .strictObject({
      code: z.string().min(1).max(100_000).describe("An expression, a function, or its body with return"),
    })
    .meta({ examples: [{ code: "document.title" }, { code: "return [...document.links].length" }] }),
  select_dropdown: z
    .strictObject({
      index,
      text: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
      value: z.string().optional(),
    })
    .refine(({ text, value }) => text !== undefined || value !== undefined, {
      path: ["text"],
      message: "the text of an option, or its value, is needed",
    })
    .meta({
      examples: [
        { index: 4, text: "Austria" },
        { label: "Country", value: "at" },
      ],
    }),
  dropdown_options: z.strictObject({ index }).meta({ examples: [{ index: 4 }, { label: "Country" }] }),
  scroll: z
    .strictObject({
      direction: z.enum(["up", "down", "left", "right"]).default("down"),
      amount: z
        .number()
        .min(0)
        .max(scrollAmount)
        .optional()
        .describe("Pixels; most of what is seen without it"),
      pages: z
        .number()
        .min(0.1)
        .max(scrollPages)
        .optional()
        .describe("Heights of the view, in place of amount"),
      down: z.boolean().optional().describe("false for up: the direction as browser-use has it"),
      index: index.optional().describe("Scroll what this element is in, not the page"),
    })
    .meta({ examples: [{ direction: "down" }, { direction: "up", amount: 400 }] }),
  login: z
    .strictObject({ login: loginSchema.optional().describe("The recipe of the session's start without it") })
    .meta({
      examples: [
        {
          login: {
            url: "https://shop.example.com/login",
            fields: [
              { label: "E-mail", value: "ann@example.com" },
              { label: "Password", secret: "shop" },
            ],
            success: { text: "Sign out" },
          },
        },
        {},
      ],
    }),
  wait: z
    .strictObject({
      seconds: z
        .number()
        .min(0)
        .max(longestWait)
        .default(3)
        .describe("At the most, when something is waited for"),
      selector: z.string().min(1).optional().describe("Until an element of it is seen"),
      text: z.string().min(1).optional().describe("Until this text is on the page"),
      network_idle: z.boolean().optional().describe("Until the page asks for nothing more"),
      downloads: z.boolean().optional().describe("Until the files that pages gave have come"),
    })
    .meta({ examples: [{ seconds: 2 }, { text: "Saved", seconds: 10 }] }),
  screenshot: z
    .strictObject(pictureOptions)
    .meta({ examples: [{}, { full_page: true, format: "jpeg" }, { index: 3 }] }),
  extract: z
    .strictObject(extractOptions)
    .meta({ examples: [{}, { include: ["tables"] }, { query: "What is the order number?" }] }),
  save_as_pdf: z
    .strictObject({
      file_name: z.string().min(1).max(200).optional().describe("The page's title without it"),
      landscape: z.boolean().default(false),
      print_background: z.boolean().default(true),
      scale: z.number().min(0.1).max(2).default(1),
      paper_format: z.enum(["A3", "A4", "A5", "Letter", "Legal", "Tabloid"]).default("A4"),
      page_ranges: z
        .string()
        .max(200)
        .regex(/^\s*\d{1,6}(\s*-\s*\d{1,6})?(\s*,\s*\d{1,6}(\s*-\s*\d{1,6})?)*\s*$/, "pages such as 1-3, 5")
        .optional()
        .describe("1-3, 5; all without it"),
      display_header_footer: z.boolean().default(false),
      header_template: z.string().max(10_000).optional(),
      footer_template: z.string().max(10_000).optional(),
    })
    .meta({ examples: [{}, { file_name: "invoice.pdf", paper_format: "Letter" }] }),
  go_back: z.strictObject({}).meta({ examples: [{}] }),
  go_forward: z.strictObject({}).meta({ examples: [{}] }),
  refresh: z.strictObject({}).meta({ examples: [{}] }),
  send_keys: z
    .strictObject({
      keys: z.string().min(1).max(1_000).describe("Enter, Control+a, Shift+Tab; several divided by blanks"),
    })
    .meta({ examples: [{ keys: "Enter" }] }),
  handle_dialog: z
    .strictObject({
      accept: z.boolean().default(true),
      text: z.string().optional().describe("For a prompt"),
    })
    .meta({ examples: [{ accept: true }] }),
  switch: z.strictObject({ tab: z.number().int().min(0) }).meta({ examples: [{ tab: 1 }] }),
  close: z
    .strictObject({
      tab: z.number().int().min(0).optional().describe("The one that is shown without it"),
    })
    .meta({ examples: [{}, { tab: 1 }] }),
} as const satisfies Readonly<Record<ActionName, z.ZodType>>;

export type Action = {
  [Name in ActionName]: {
    name: Name;
    params: z.output<(typeof actionSchemas)[Name]>;
    /**
     * Descriptions of elements (locators) that the caller gave instead of indices. Each key is the path of an
     * index in `params`. This index is 0 until the element is found.
     */
    locators?: Locators;
  };
}[ActionName];
