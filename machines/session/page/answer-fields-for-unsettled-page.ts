/**
 * Fields of an answer about a page that was still loading or changing at the end of the wait. If the page had
 * settled, the fields are absent.
 */
import { z } from "zod";

export const loadingFields = {
  loading: z
    .literal(true)
    .optional()
    .describe("The page had not settled when the wait for it ended: analyze again in a few seconds"),
  pending: z
    .array(z.string())
    .optional()
    .describe("With loading: addresses of its pending requests, without queries and shortened"),
};

export interface LoadingState {
  readonly loading: true;
  readonly pending: string[];
}
