import { isJsonObject, type JsonObject } from '../../mcp/mcp-outcome.ts';

/** A condition of a server. @spec §2.6 status */
export interface ServerCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** A server as `core_mcpserver_list` and `core_mcpserver_get` show it. Times are RFC 3339. */
export interface ServerFacts {
  readonly name: string;
  /** The state of the server for everyone. @spec §2.6 */
  readonly state: string;
  readonly health?: string;
  readonly description?: string;
  /** A sentence about the state. */
  readonly statusMessage?: string;
  /** The last error: one line. */
  readonly error?: string;
  readonly toolsCount?: number;
  readonly resourcesCount?: number;
  readonly promptsCount?: number;
  readonly restartCount?: number;
  readonly connectedAt?: string;
  readonly nextRetryAfter?: string;
  readonly protocolVersion?: string;
  readonly registeredBy?: string;
  /** The reader's own state at a server that persons sign in to. @spec §5 */
  readonly signIn?: { readonly status: string; readonly error?: string };
  readonly conditions: readonly ServerCondition[];
  /** The tools whose declarations differ from the accepted ones. */
  readonly changedTools: readonly string[];
  /** The resource in fields. */
  readonly labels: JsonObject;
  readonly spec: JsonObject;
}

/** A server whose definition is not valid. */
export interface RefusedServer {
  readonly name: string;
  readonly problems: readonly string[];
}

/** The answer of `core_mcpserver_list`. */
export interface ServerAnswer {
  readonly servers: readonly ServerFacts[];
  readonly refused: readonly RefusedServer[];
  /** Why the reader may not change servers; absent for one who may. */
  readonly writeRefusal?: string;
}

/** The keys of an answer that are not part of `spec`. */
const RUNTIME: ReadonlySet<string> = new Set([
  ...['name', 'labels', 'state', 'statusMessage', 'error', 'health', 'status', 'signIn'],
  ...['toolsCount', 'resourcesCount', 'promptsCount', 'restartCount', 'consecutiveFailures'],
  ...['lastAttempt', 'connectedAt', 'nextRetryAfter', 'serverInfo', 'protocolVersion'],
  ...['registeredBy', 'toolChanges', 'writeRefusal'],
]);

const TEXTS = [
  ...(['health', 'description', 'statusMessage', 'error', 'connectedAt'] as const),
  ...(['nextRetryAfter', 'protocolVersion', 'registeredBy'] as const),
] as const;
const COUNTS = ['toolsCount', 'resourcesCount', 'promptsCount', 'restartCount'] as const;

type Picked<K extends string, T> = { readonly [P in K]?: T };

const pick = <K extends string, T>(
  source: JsonObject,
  keys: readonly K[],
  isWanted: (value: unknown) => value is T,
): Picked<K, T> =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const value = source[key];
      return isWanted(value) ? [[key, value]] : [];
    }),
  ) as Picked<K, T>;

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => typeof value === 'number';
const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
const listOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
const textOf = (value: unknown): string => (isText(value) ? value : '');

const conditionOf = ({ type, status, reason, message }: JsonObject): ServerCondition => ({
  type: textOf(type),
  status: textOf(status),
  reason: textOf(reason),
  message: textOf(message),
});

const signInOf = ({ signIn }: JsonObject): Pick<ServerFacts, 'signIn'> => {
  if (!isJsonObject(signIn)) return {};
  const { status, error } = signIn;
  return { signIn: { status: textOf(status), ...(isText(error) && { error }) } };
};

/** Reads one server of an answer. */
export const serverFactsOf = (answer: JsonObject): ServerFacts => ({
  name: textOf(answer['name']),
  state: textOf(answer['state']),
  ...pick(answer, TEXTS, isText),
  ...pick(answer, COUNTS, isCount),
  ...signInOf(answer),
  conditions: listOf(objectOf(answer['status'])['conditions']).map(conditionOf),
  changedTools: listOf(answer['toolChanges']).map(({ tool }) => textOf(tool)),
  labels: objectOf(answer['labels']),
  spec: Object.fromEntries(Object.entries(answer).filter(([key]) => !RUNTIME.has(key))),
});

/** Returns why the reader may not change servers. */
export const writeRefusalOf = ({ writeRefusal }: JsonObject): Pick<ServerAnswer, 'writeRefusal'> =>
  isText(writeRefusal) ? { writeRefusal } : {};

/** Reads an answer of `core_mcpserver_list`. */
export const serverAnswerOf = (answer: JsonObject): ServerAnswer => ({
  servers: listOf(answer['mcpServers']).map(serverFactsOf),
  refused: listOf(answer['refused']).map(({ name, problems }) => ({
    name: textOf(name),
    problems: Array.isArray(problems) ? problems.filter(isText) : [],
  })),
  ...writeRefusalOf(answer),
});

const SIGN_IN_STATES: ReadonlySet<string> = new Set(['auth_required', 'reauth_required']);

/** Returns whether the reader has to sign in to a server. */
export const isSignedOut = ({ signIn, state }: ServerFacts): boolean =>
  signIn === undefined ? state === 'Auth Required' : SIGN_IN_STATES.has(signIn.status);
