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

/** A failure as an answer. */
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

const utf8 = (chunks: readonly Uint8Array[]): BodyText => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const parts = chunks.map((chunk) => decoder.decode(chunk, { stream: true }));
    return { kind: 'text', text: parts.join('') + decoder.decode() };
  } catch {
    return { kind: 'not-text' };
  }
};

/**
 * Reads the body of a response as UTF-8, no further than a bound.
 * @param maxBytes what is longer is given up
 */
const bodyText = async (response: Response, maxBytes: number): Promise<BodyText> => {
  if (response.body === null) return { kind: 'text', text: '' };
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return utf8(chunks);
    bytes += value.length;
    if (bytes > maxBytes) {
      // The remaining bytes are not used, so a failure to cancel the stream is ignored.
      reader.cancel().catch(() => undefined);
      return { kind: 'too-large' };
    }
    chunks.push(value);
  }
};

/** The most characters of an unexpected answer that are shown. */
const MAX_SHOWN_CHARS = 200;

const isCode = (code: string): code is AgentRefusalCode => Object.hasOwn(REFUSAL_STATUS, code);

const refusalBody = z.object({
  error: z.object({ code: z.string().refine(isCode), message: z.string() }),
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const shown = (text: string): string => {
  if (text === '') return 'nothing';
  const [start, dots] =
    text.length > MAX_SHOWN_CHARS ? [text.slice(0, MAX_SHOWN_CHARS), '…'] : [text, ''];
  return JSON.stringify(start) + dots;
};

const unexpected = (status: number, what: string): Result<never, ClientFailure> =>
  createClientFailure(
    'unexpected_answer',
    `agent-manager does not answer so: status ${status}, ${what}`,
    status,
  );

const refusalIn = (status: number, json: unknown): AgentRefusal | undefined => {
  const body = status >= 400 ? refusalBody.safeParse(json) : undefined;
  return body?.success === true ? body.data.error : undefined;
};

/** The first thing about a value that its schema does not allow: `agents.2.name: Invalid input`. */
const problemOf = (error: z.ZodError): string => {
  const [issue] = error.issues;
  const path = issue?.path.map(String).join('.') ?? '';
  return path === '' ? String(issue?.message) : `${path}: ${issue?.message}`;
};

const parse = <T>(operation: Operation, status: number, text: string): ClientResult<T> => {
  const json = parsed(text);
  const refusal = refusalIn(status, json);
  if (refusal !== undefined) return { ok: false, error: refusal };
  if (status !== operation.status || json === undefined) return unexpected(status, shown(text));
  const checked = operation.output.safeParse(json);
  // The answer itself, not the parsed value: fields that a newer agent-manager adds are preserved.
  return checked.success
    ? { ok: true, value: json as T }
    : unexpected(status, `not of its schema: ${problemOf(checked.error)}`);
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
    return unexpected(response.status, 'a redirect');
  }
  const body = await bodyText(response, maxBytes);
  return body.kind === 'text'
    ? parse(operation, response.status, body.text)
    : unexpected(response.status, UNREADABLE[body.kind](maxBytes));
};
