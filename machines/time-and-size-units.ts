/** Units of time in milliseconds, and units of size in bytes. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const MB = 1_024 * 1_024;
