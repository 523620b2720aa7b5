/**
 * The schema of a login recipe: where to sign in, what to type into which field, and what proves success. It
 * names secrets, which are restricted to hosts. Their values are inserted only when they are typed.
 */
import { z } from "zod";
import { readingLimits } from "../../reading/page-reading-limits.ts";
import { loginLimits } from "../session-limits.ts";

export const secretNameSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/, "letters, digits and _, beginning with a letter")
  .describe("Name of a secret: CAIRN_SECRET_<NAME>, or given to PUT /api/secrets/{name}");

const selector = z.string().min(1).max(1_000);
const label = z.string().min(1).max(300);

const fieldSchema = z
  .object({
    selector: selector.optional().describe("CSS selector that means one field"),
    label: label.optional().describe("What the field is called on the page"),
    value: z
      .union([z.string().max(10_000), z.boolean()])
      .optional()
      .describe("What goes into it, as it is"),
    secret: secretNameSchema.optional(),
    totp: z.literal(true).optional().describe("The code of totp_secret at that moment"),
  })
  .strict()
  .refine((field) => (field.selector === undefined) !== (field.label === undefined), {
    message: "a selector or a label is needed",
  })
  .refine(
    ({ value, secret, totp }) => [value, secret, totp].filter((one) => one !== undefined).length === 1,
    {
      message: "one of value, secret and totp is needed",
    },
  );

const submitSchema = z
  .union([
    z.string().min(1).max(1_000).describe("CSS selector of the button, or what it is called"),
    z.object({ selector }).strict(),
    z.object({ label }).strict(),
    z.object({ text: label }).strict(),
  ])
  .describe("Enter in the last field without it");

export const loginSchema = z
  .object({
    url: z.url({ protocol: /^https?$/ }).max(readingLimits.urlLength),
    fields: z.array(fieldSchema).min(1).max(loginLimits.fields),
    submit: submitSchema.optional(),
    success: z
      .object({
        text: z.string().min(1).max(1_000).optional().describe("It is on the page"),
        url: z.string().min(1).max(1_000).optional().describe("The address holds it; * stands for anything"),
        selector: selector.optional().describe("An element of it is seen"),
      })
      .strict()
      .refine(({ text, url, selector }) => (text ?? url ?? selector) !== undefined, {
        message: "a text, an url or a selector is needed",
      })
      .describe("All that is named has to hold"),
    totp_secret: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe("Name of a secret that holds a TOTP key (base32 or otpauth://), or the key itself"),
  })
  .strict();
export type LoginRecipe = z.output<typeof loginSchema>;
