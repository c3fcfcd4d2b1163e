import { isJsonObject } from '@gateway/call-contract';

/** Severities of log messages, least severe first. RFC 5424 §6.2.1 */
const LOG_LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** The log level of a client of the 2025 era that has set none: the protocol leaves it to the server. */
export const UNSET_LOG_LEVEL = 'info';

/** Returns whether a value names a severity of log messages. */
export const isLogLevel = (value: unknown): value is string =>
  typeof value === 'string' && LOG_LEVELS.includes(value);

/** Returns whether a caller receives a notification: a log message from its level on, and any other notification. */
export const isWanted = (
  level: string | undefined,
  { method, params }: { readonly method: string; readonly params: unknown },
): boolean => {
  if (method !== 'notifications/message') return true;
  const severity = isJsonObject(params) ? params['level'] : undefined;
  if (level === undefined || !isLogLevel(severity)) return false;
  return LOG_LEVELS.indexOf(severity) >= LOG_LEVELS.indexOf(level);
};
