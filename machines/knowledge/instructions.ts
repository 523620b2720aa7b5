/**
 * What an agent may ask of a map, by name.
 *
 * Apart from the schemas of `protocol.ts`, which are made of these, so that the threads that answer need no zod.
 */

export const instructionTypes = [
  "navigate_to_screen",
  "execute_task",
  "find_screen",
  "get_actions",
  "get_screen_context",
  "find_element",
  "explore_website",
] as const;
export type InstructionType = (typeof instructionTypes)[number];

/** The older names that are read as well. */
export const instructionAliases: Readonly<Record<string, InstructionType>> = {
  navigate_to: "navigate_to_screen",
  navigate: "navigate_to_screen",
  recognize_screen: "find_screen",
};

/** The instruction that is meant by a name, if any. */
export function instructionOf(name: string): InstructionType | undefined {
  const known = instructionTypes.find((type) => type === name);
  if (known) return known;
  return Object.hasOwn(instructionAliases, name) ? instructionAliases[name] : undefined;
}
