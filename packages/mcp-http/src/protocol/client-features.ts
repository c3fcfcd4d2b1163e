import { type ClientAnswer, type JsonObject, RPC_CODE, isJsonObject } from '@gateway/call-contract';

/** The client capabilities for server requests, one bit each. All of them fit one byte of a session id. */
const FEATURES: readonly (readonly [capability: string, part?: string])[] = [
  ['sampling'],
  ['sampling', 'tools'],
  ['sampling', 'context'],
  ['elicitation'],
  ['elicitation', 'form'],
  ['elicitation', 'url'],
  ['roots'],
  ['roots', 'listChanged'],
];

const findMember = (value: unknown, key: string): unknown =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const isDeclared = (value: unknown): boolean => value === true || isJsonObject(value);

/** Returns the declared client capabilities as bits. Unknown or malformed capabilities count as not declared. */
export const parseClientFeatures = (capabilities: unknown): number =>
  FEATURES.reduce((bits, [capability, part], at) => {
    const whole = findMember(capabilities, capability);
    if (!isJsonObject(whole)) return bits;
    return part === undefined || isDeclared(findMember(whole, part)) ? bits | (1 << at) : bits;
  }, 0);

const known = new Map<number, JsonObject>();

/** Returns the capabilities for a set of bits: `sampling`, `elicitation` and `roots`, if declared. */
export const toClientCapabilities = (features: number): JsonObject => {
  const found = known.get(features);
  if (found !== undefined) return found;
  const capabilities: Record<string, Record<string, unknown>> = {};
  for (const [at, [capability, part]] of FEATURES.entries()) {
    if ((features & (1 << at)) === 0) continue;
    const whole = (capabilities[capability] ??= {});
    if (part !== undefined) whole[part] = part === 'listChanged' ? true : {};
  }
  known.set(features, capabilities);
  return capabilities;
};

type Params = Readonly<Record<string, unknown>>;

/** Returns the capability that a question requires, with the required sub-capability if there is one. */
const findRequiredCapability = (
  method: string,
  { mode, tools, toolChoice }: Params,
  { elicitation }: JsonObject,
): readonly [capability: string, part?: string] | undefined => {
  switch (method) {
    case 'sampling/createMessage':
      return tools === undefined && toolChoice === undefined ? ['sampling'] : ['sampling', 'tools'];
    case 'elicitation/create': {
      if (mode === 'url') return ['elicitation', 'url'];
      // A client that declares no part accepts forms.
      const takesForms = isJsonObject(elicitation) && Object.keys(elicitation).length === 0;
      return takesForms ? ['elicitation'] : ['elicitation', 'form'];
    }
    case 'roots/list':
      return ['roots'];
    default:
      return undefined;
  }
};

/** Maximum number of characters of a method name in an error message. */
const MAX_QUOTED = 200;

/** Returns the reason why a client with these capabilities does not support a question; `undefined` when it does. */
export const validateQuestion = (
  capabilities: JsonObject,
  { method, params }: { readonly method: string; readonly params: Params },
): string | undefined => {
  const need = findRequiredCapability(method, params, capabilities);
  if (need === undefined) {
    return `A client cannot be asked: ${JSON.stringify(method.slice(0, MAX_QUOTED))}`;
  }
  const [capability, part] = need;
  const whole = findMember(capabilities, capability);
  if (whole === undefined) return formatUndeclared(capability);
  if (part === undefined || findMember(whole, part) !== undefined) return undefined;
  return formatUndeclared(`${capability}.${part}`);
};

const formatUndeclared = (capability: string): string =>
  `The client has not declared the capability "${capability}"`;

/** Returns the error of a question that the client did not answer. */
export const createErrorAnswer = (code: number, message: string): ClientAnswer => ({
  ok: false,
  error: { code, message },
});

/** Returns the error answer to a question that the client does not support. */
export const createUnsupportedAnswer = (reason: string): ClientAnswer =>
  createErrorAnswer(RPC_CODE.methodNotFound, reason);

/** The answer to a question that is withdrawn or whose call is over. */
export const WITHDRAWN: ClientAnswer = createErrorAnswer(
  RPC_CODE.transport,
  'The question was withdrawn: its call is over or no longer needs the answer',
);

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

/** Returns whether a caller receives a notification: log messages at or above its level, and all other notifications. */
export const isDesired = (
  level: string | undefined,
  { method, params }: { readonly method: string; readonly params: unknown },
): boolean => {
  if (method !== 'notifications/message') return true;
  const severity = isJsonObject(params) ? params['level'] : undefined;
  if (level === undefined || !isLogLevel(severity)) return false;
  return LOG_LEVELS.indexOf(severity) >= LOG_LEVELS.indexOf(level);
};
