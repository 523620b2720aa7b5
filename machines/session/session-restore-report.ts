/** The schema of the report on a restored session. */
import { z } from "zod";

export const restoredSchema = z.object({
  from: z.enum(["hibernation", "crash"]),
  saved_at: z.string().describe("What happened after it is lost as well"),
  lost: z.array(z.string()).describe("What was not put back"),
});
export type Restored = z.infer<typeof restoredSchema>;
