/** The actions that a step of a plan may have. */
export const plannedActions = [
  "click",
  "hover",
  "input",
  "select_dropdown",
  "navigate",
  "send_keys",
  "go_back",
  "refresh",
  "scroll",
] as const;
