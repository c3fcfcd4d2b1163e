import { quoteText, type Result } from '@gateway/toolset-grammar';
import { MAX_SHOWN_CHARS, MAX_SHOWN_ENTRIES } from '../limits.ts';

/** One half of a surrogate pair that truncation split. */
const TORN = /[\ud800-\udbff]$/;

/** A text of which a refusal repeats no more than {@link MAX_SHOWN_CHARS}. */
export const truncate = (text: string): string =>
  text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS).replace(TORN, '')}…`;

/** Returns an external name in quotes for a refusal: invisible characters escaped, a long name truncated. */
export const formatShown = (text: string): string => quoteText(truncate(text));

/** Returns an external name without quotes, otherwise as {@link formatShown}. */
export const formatBare = (text: string): string => formatShown(text).slice(1, -1);

/** `namespace/name`, as refusals name an object. */
export const formatObject = ({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): string => `${formatBare(namespace)}/${formatBare(name)}`;

/** Entries in the order given; of many only the first, and how many follow. */
export const formatList = (entries: readonly string[], separator: string): string => {
  const first = entries.slice(0, MAX_SHOWN_ENTRIES).map(truncate);
  const more = entries.length - first.length;
  return [...first, ...(more > 0 ? [`… (${more} more)`] : [])].join(separator);
};

/** Returns names as `a, b`, truncated as by {@link formatList}. */
export const formatNames = (names: readonly string[]): string =>
  formatList(names.map(formatBare), ', ');

/** Codes of refusals with their HTTP status. */
export const REFUSAL_STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  unsupported: 501,
  backend_error: 502,
} as const satisfies Readonly<Record<string, number>>;

/** A word for programs; the message is for people. */
export type AgentRefusalCode = keyof typeof REFUSAL_STATUS;

/** A refusal as the body of an error carries it: `{"error": {"code", "message"}}`. */
export interface AgentRefusal {
  readonly code: AgentRefusalCode;
  /** One sentence, opened by the words of its code, such as `not found: `. */
  readonly message: string;
}

/**
 * The reason why agent-manager did not answer.
 *
 * - `unsendable`: the arguments cannot be written as a request. Nothing was sent.
 * - `aborted`: the caller's signal ended the call.
 * - `timeout`: the answer was not complete in time.
 * - `unreachable`: no connection, or a connection that failed before the answer was complete.
 * - `unexpected_answer`: the answer is not from agent-manager: a page of a proxy, a redirect, an answer that does not match the
 *   schema of the operation, or an answer that is too large.
 *
 * After every code except `unsendable` a write can have happened: read the agent before a retry.
 */
export type ClientFailureCode =
  'unsendable' | 'aborted' | 'timeout' | 'unreachable' | 'unexpected_answer';

/** A call without an answer of agent-manager. */
export interface ClientFailure {
  readonly code: ClientFailureCode;
  /** One sentence for people. */
  readonly message: string;
  /** HTTP status of an unexpected answer; 0 where a browser hides that of a redirect. */
  readonly status?: number;
}

/** The reason why a call has no value. Refusals and failures have different codes. */
export type ClientError = AgentRefusal | ClientFailure;

/** A value, or the refusal of the call. */
export type ClientOutcome<T> = Result<T, AgentRefusal>;

/** Start of the message of each code. Failures of a backend have the message of the backend. */
const OPENINGS: Readonly<Record<AgentRefusalCode, string>> = {
  invalid_request: 'invalid request: ',
  unauthenticated: 'unauthorized: ',
  forbidden: 'forbidden: ',
  not_found: 'not found: ',
  conflict: 'conflict: ',
  unsupported: 'unsupported: ',
  backend_error: '',
};

/** A refusal of this code for this reason; the reason is one sentence without a full stop. */
export const createRefusal = (code: AgentRefusalCode, reason: string): AgentRefusal => ({
  code,
  message: OPENINGS[code] + reason,
});

/** A refusal as an answer. */
export const refuse = (
  code: AgentRefusalCode,
  reason: string,
): { readonly ok: false; readonly error: AgentRefusal } => ({
  ok: false,
  error: createRefusal(code, reason),
});

/** Returns whether agent-manager answered with a refusal; otherwise there is no answer. */
export const isRefusal = (error: ClientError): error is AgentRefusal =>
  Object.hasOwn(REFUSAL_STATUS, error.code);

/** Returns the message without the words of its code, as lists of errors show it. */
export const formatReason = (error: ClientError): string => {
  const opening = isRefusal(error) ? OPENINGS[error.code] : '';
  return error.message.startsWith(opening) ? error.message.slice(opening.length) : error.message;
};

/** Returns `<code>: <reason>`, which is also the text of a refusal for MCP callers. */
export const formatError = (error: ClientError): string => `${error.code}: ${formatReason(error)}`;
