import type { Result } from '@gateway/toolset-grammar';
import * as z from 'zod';
import type { Operation } from '../operations/operations.ts';
import {
  type ClientError,
  type ClientFailure,
  type ClientFailureCode,
  type AgentRefusal,
  REFUSAL_STATUS,
  type AgentRefusalCode,
} from '../refusals/refusal.ts';

/** The answer of agent-manager, or the reason why there is none. */
export type ClientResult<T> = Result<T, ClientError>;

/** Creates the result of a failed call. */
export const createClientFailure = (
  code: ClientFailureCode,
  message: string,
  status?: number,
): { readonly ok: false; readonly error: ClientFailure } => ({
  ok: false,
  error: { code, message, ...(status !== undefined && { status }) },
});

/** The complete body, or the reason why it was refused. Rejects when the connection fails or the signal aborts. */
type BodyText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-text' };

const decodeBodyText = (chunks: readonly Uint8Array[]): BodyText => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const parts = chunks.map((chunk) => decoder.decode(chunk, { stream: true }));
    return { kind: 'text', text: parts.join('') + decoder.decode() };
  } catch {
    return { kind: 'not-text' };
  }
};

/**
 * Reads the body of a response as UTF-8, up to a size limit.
 * @param maxBytes size limit; reading stops beyond it
 */
const readBodyText = async (response: Response, maxBytes: number): Promise<BodyText> => {
  if (response.body === null) return { kind: 'text', text: '' };
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return decodeBodyText(chunks);
    bytes += value.length;
    if (bytes > maxBytes) {
      // The remaining bytes are not used, so a failure to cancel the stream is ignored.
      reader.cancel().catch(() => undefined);
      return { kind: 'too-large' };
    }
    chunks.push(value);
  }
};

/** Maximum number of characters of an unexpected answer in a message. */
const MAX_SHOWN_CHARS = 200;

const isRefusalCode = (code: string): code is AgentRefusalCode =>
  Object.hasOwn(REFUSAL_STATUS, code);

const refusalBody = z.object({
  error: z.object({ code: z.string().refine(isRefusalCode), message: z.string() }),
});

const tryParseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const formatExcerpt = (text: string): string => {
  if (text === '') return 'nothing';
  const [start, dots] =
    text.length > MAX_SHOWN_CHARS ? [text.slice(0, MAX_SHOWN_CHARS), '…'] : [text, ''];
  return JSON.stringify(start) + dots;
};

const createUnexpectedAnswer = (status: number, what: string): Result<never, ClientFailure> =>
  createClientFailure(
    'unexpected_answer',
    `agent-manager does not answer so: status ${status}, ${what}`,
    status,
  );

const parseAgentRefusal = (status: number, json: unknown): AgentRefusal | undefined => {
  const body = status >= 400 ? refusalBody.safeParse(json) : undefined;
  return body?.success === true ? body.data.error : undefined;
};

/** Formats the first schema violation of a value: `agents.2.name: Invalid input`. */
const formatIssue = (error: z.ZodError): string => {
  const [issue] = error.issues;
  const path = issue?.path.map(String).join('.') ?? '';
  return path === '' ? String(issue?.message) : `${path}: ${issue?.message}`;
};

const parseOperationAnswer = <T>(
  operation: Operation,
  status: number,
  text: string,
): ClientResult<T> => {
  const json = tryParseJson(text);
  const refusal = parseAgentRefusal(status, json);
  if (refusal !== undefined) return { ok: false, error: refusal };
  if (status !== operation.status || json === undefined)
    return createUnexpectedAnswer(status, formatExcerpt(text));
  const checked = operation.output.safeParse(json);
  // The answer itself, not the parsed value: fields that a newer agent-manager adds are preserved.
  return checked.success
    ? { ok: true, value: json as T }
    : createUnexpectedAnswer(status, `not of its schema: ${formatIssue(checked.error)}`);
};

const UNREADABLE: Readonly<Record<Exclude<BodyText['kind'], 'text'>, (max: number) => string>> = {
  'too-large': (max) => `more than ${max} bytes`,
  'not-text': () => 'a body that is not UTF-8',
};

const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

/**
 * Parses the response to an operation. Rejects when the connection fails before its end.
 * @param maxBytes size limit of the answer, in bytes
 */
export const parseResponse = async <T>(
  operation: Operation,
  response: Response,
  maxBytes: number,
): Promise<ClientResult<T>> => {
  if (isRedirect(response)) {
    await response.body?.cancel();
    return createUnexpectedAnswer(response.status, 'a redirect');
  }
  const body = await readBodyText(response, maxBytes);
  return body.kind === 'text'
    ? parseOperationAnswer(operation, response.status, body.text)
    : createUnexpectedAnswer(response.status, UNREADABLE[body.kind](maxBytes));
};
