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
export type RefusalCode = keyof typeof REFUSAL_STATUS;

/** A refusal as the body of an error carries it: `{"error": {"code", "message"}}`. */
export interface Refusal {
  readonly code: RefusalCode;
  /** One sentence, opened by the words of its code, such as `not found: `. */
  readonly message: string;
}

/** A value, or the refusal of the call. */
export type Answer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

/** Start of the message of each code. Failures of a backend have the message of the backend. */
const OPENINGS: Readonly<Record<RefusalCode, string>> = {
  invalid_request: 'invalid request: ',
  unauthenticated: 'unauthorized: ',
  forbidden: 'forbidden: ',
  not_found: 'not found: ',
  conflict: 'conflict: ',
  unsupported: 'unsupported: ',
  backend_error: '',
};

/** A refusal of this code for this reason; the reason is one sentence without a full stop. */
export const refusal = (code: RefusalCode, reason: string): Refusal => ({
  code,
  message: OPENINGS[code] + reason,
});

/** A refusal as an answer. */
export const refused = (
  code: RefusalCode,
  reason: string,
): { readonly ok: false; readonly refusal: Refusal } => ({
  ok: false,
  refusal: refusal(code, reason),
});

/** The message without the words of its code, as lists of errors show it. */
export const reasonOf = ({ code, message }: Refusal): string =>
  message.startsWith(OPENINGS[code]) ? message.slice(OPENINGS[code].length) : message;

/** Returns the text of a refusal for MCP callers: `<code>: <reason>`. */
export const refusalText = (refusal: Refusal): string => `${refusal.code}: ${reasonOf(refusal)}`;
