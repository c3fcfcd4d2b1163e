import { quoteText, type Result } from '@gateway/toolset-grammar';
import { MAX_SHOWN_CHARS, MAX_SHOWN_ENTRIES } from '../limits.ts';

/** One half of a surrogate pair that truncation split. */
const TRAILING_HIGH_SURROGATE = /[\ud800-\udbff]$/;

/** Shortens a text to {@link MAX_SHOWN_CHARS} characters. */
export const truncate = (text: string): string =>
  text.length <= MAX_SHOWN_CHARS
    ? text
    : `${text.slice(0, MAX_SHOWN_CHARS).replace(TRAILING_HIGH_SURROGATE, '')}…`;

/** Returns an external name in quotes for a refusal: invisible characters escaped, a long name truncated. */
export const formatQuotedName = (text: string): string => quoteText(truncate(text));

/** Returns an external name without quotes, otherwise as {@link formatQuotedName}. */
export const formatUnquotedName = (text: string): string => formatQuotedName(text).slice(1, -1);

/** Returns `namespace/name` for a refusal. */
export const formatObject = ({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): string => `${formatUnquotedName(namespace)}/${formatUnquotedName(name)}`;

/** Joins the first {@link MAX_SHOWN_ENTRIES} entries and states how many follow. */
export const formatList = (entries: readonly string[], separator: string): string => {
  const first = entries.slice(0, MAX_SHOWN_ENTRIES).map(truncate);
  const more = entries.length - first.length;
  return [...first, ...(more > 0 ? [`… (${more} more)`] : [])].join(separator);
};

/** Joins names with commas, truncated like {@link formatList}. */
export const formatNames = (names: readonly string[]): string =>
  formatList(names.map(formatUnquotedName), ', ');

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

/** The machine-readable code of a refusal. */
export type AgentRefusalCode = keyof typeof REFUSAL_STATUS;

/** The refusal in the body of an error response: `{"error": {"code", "message"}}`. */
export interface AgentRefusal {
  readonly code: AgentRefusalCode;
  /** One sentence that starts with the prefix of its code, such as `not found: `. */
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

/** A call that agent-manager did not answer. */
export interface ClientFailure {
  readonly code: ClientFailureCode;
  /** One sentence for users. */
  readonly message: string;
  /** HTTP status of an unexpected answer; 0 for a redirect whose status the browser hides. */
  readonly status?: number;
}

/** The reason why a call has no value. Refusals and failures have different codes. */
export type ClientError = AgentRefusal | ClientFailure;

/** A value, or the refusal of the call. */
export type ClientOutcome<T> = Result<T, AgentRefusal>;

/** The message prefix of each code. `backend_error` repeats the message of the backend. */
const MESSAGE_PREFIXES: Readonly<Record<AgentRefusalCode, string>> = {
  invalid_request: 'invalid request: ',
  unauthenticated: 'unauthorized: ',
  forbidden: 'forbidden: ',
  not_found: 'not found: ',
  conflict: 'conflict: ',
  unsupported: 'unsupported: ',
  backend_error: '',
};

/** Creates a refusal. The reason is one sentence without a full stop. */
export const createRefusal = (code: AgentRefusalCode, reason: string): AgentRefusal => ({
  code,
  message: MESSAGE_PREFIXES[code] + reason,
});

/** Returns a failed outcome with a refusal. */
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

/** Returns the message without the prefix of its code. */
export const formatReason = (error: ClientError): string => {
  const opening = isRefusal(error) ? MESSAGE_PREFIXES[error.code] : '';
  return error.message.startsWith(opening) ? error.message.slice(opening.length) : error.message;
};

/** Returns `<code>: <reason>`, which is also the text of a refusal for MCP callers. */
export const formatError = (error: ClientError): string => `${error.code}: ${formatReason(error)}`;
