/** Harmless values by which an exploration fills required fields, and that callers get as examples. */

const SAMPLES: Readonly<Record<string, string>> = {
  email: "guest@example.com",
  number: "1",
  tel: "5550100",
  url: "https://example.com/",
  date: "2030-01-15",
};
const SAMPLE = "Sample";

/** Returns an example value for a field with this `type` attribute, such as `email`. */
export function sampleValue(type: string): string {
  return SAMPLES[type] ?? SAMPLE;
}
