/** Returns how many boxes (ancestors) contain both elements, by their XPaths. */
export function boxesAroundBoth(one: string, other: string): number {
  const [a, b] = [one.split("/"), other.split("/")];
  const first = a.findIndex((step, at) => step !== b[at]);
  return first < 0 ? a.length : first;
}
