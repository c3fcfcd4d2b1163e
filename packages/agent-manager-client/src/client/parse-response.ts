import * as z from 'zod';
import type { Operation } from '../operations/operation.ts';
import { REFUSAL_STATUS, type Refusal, type RefusalCode } from '../refusals/refusal.ts';
import { bodyText, type BodyText } from './body-text.ts';
import { failed, type ClientAnswer, type Failed } from './client-answer.ts';

/** The most characters of an unexpected answer that are shown. */
const MAX_SHOWN_CHARS = 200;

const isCode = (code: string): code is RefusalCode => Object.hasOwn(REFUSAL_STATUS, code);

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

const unexpected = (status: number, what: string): Failed =>
  failed(
    'unexpected_answer',
    `agent-manager does not answer so: status ${status}, ${what}`,
    status,
  );

const refusalIn = (status: number, json: unknown): Refusal | undefined => {
  const body = status >= 400 ? refusalBody.safeParse(json) : undefined;
  return body?.success === true ? body.data.error : undefined;
};

/** The first thing about a value that its schema does not allow: `agents.2.name: Invalid input`. */
const problemOf = (error: z.ZodError): string => {
  const [issue] = error.issues;
  const path = issue?.path.map(String).join('.') ?? '';
  return path === '' ? String(issue?.message) : `${path}: ${issue?.message}`;
};

const parse = <T>(operation: Operation, status: number, text: string): ClientAnswer<T> => {
  const json = parsed(text);
  const refusal = refusalIn(status, json);
  if (refusal !== undefined) return { ok: false, refusal };
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
): Promise<ClientAnswer<T>> => {
  if (isRedirect(response)) {
    await response.body?.cancel();
    return unexpected(response.status, 'a redirect');
  }
  const body = await bodyText(response, maxBytes);
  return body.kind === 'text'
    ? parse(operation, response.status, body.text)
    : unexpected(response.status, UNREADABLE[body.kind](maxBytes));
};
