/**
 * The log: structured lines on stderr, formatted for reading on a terminal. Secrets are masked in the
 * finished line, so no field or message can reveal a secret. stdout is for the results of commands.
 */
import pino from "pino";
import { z } from "zod";
import { type Config, settings } from "./config.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFunction = (
  level: LogLevel,
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;

export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** The settings that a log needs: level and format, and all secret values, which it masks. */
export type LogConfig = Pick<Config, "logLevel" | "logFormat"> & Partial<Config>;

export interface LogSink {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

const MASK = "********";

/** Masks secret values, credentials inside URLs, and bearer tokens in a text. */
function masker(secrets: readonly string[]): (line: string) => string {
  return (line) => {
    let masked = line;
    for (const secret of secrets) masked = masked.replaceAll(secret, MASK);
    return masked
      .replace(/(:\/\/)[^\s/"'@]*:[^\s/"'@]*@/g, `$1${MASK}@`)
      .replace(/(bearer\s+)[A-Za-z0-9._~+/=-]+/gi, `$1${MASK}`);
  };
}

const lineSchema = z.looseObject({ level: z.string(), time: z.number(), msg: z.string().default("") });

/** Formats a JSON line for reading: time, level, message, fields. */
function pretty(line: string): string {
  const { level, time, msg, ...fields } = lineSchema.parse(JSON.parse(line));
  const clock = new Date(time).toISOString().slice(11, 23);
  const rest = Object.entries(fields)
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
  return `${clock} ${level.padEnd(5)} ${msg}${rest === "" ? "" : `  ${rest}`}\n`;
}

/** @param secrets values to mask in the log, in addition to the secrets of the settings */
export function createLog(
  config: LogConfig,
  sink: LogSink = process.stderr,
  secrets: readonly string[] = [],
): Log {
  const mask = masker([...secretsOf(config), ...secrets.filter((secret) => secret !== "")]);
  const forPeople = config.logFormat === "pretty" || (config.logFormat === "auto" && sink.isTTY === true);
  const logger = pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.epochTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.err },
    },
    { write: (line: string) => sink.write(mask(forPeople ? pretty(line) : line)) },
  );
  const at =
    (level: LogLevel) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      logger[level](fields, message);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/**
 * Creates a log for commands that print their own output. With the default level `info`, it only logs warnings and
 * errors.
 */
export function createCommandLog(config: LogConfig, secrets: readonly string[] = []): Log {
  const logLevel = config.logLevel === "info" ? "warn" : config.logLevel;
  return createLog({ ...config, logLevel }, process.stderr, secrets);
}

/** Converts the log to the function that the actor system expects. */
export function logFunction(log: Log): LogFunction {
  return (level, message, fields) => log[level](message, fields);
}

function secretsOf(config: LogConfig): readonly string[] {
  const plain = settings
    .filter(({ secret }) => secret)
    .map(({ name }) => config[name])
    .filter((value) => typeof value === "string");
  return [...plain, ...(config.apiKeys ?? []).map(({ key }) => key)];
}
