import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { ResponseTooLargeError } from './response-too-large.ts';
import { reasonOf } from './reason.ts';

/** The reason why a request on a connection has no result. */
export type RequestFailure =
  | {
      readonly kind: 'refused';
      readonly rpcCode: number;
      readonly message: string;
      readonly data?: unknown;
    }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'lost';
      readonly reason: string;
      /** HTTP status of the answer, when the server gave one instead of a message. */
      readonly httpStatus?: number;
    }
  /** The caller has no credential for the server, or the server refused it before it processed the request. */
  | { readonly kind: 'unauthorized'; readonly reason: string }
  | { readonly kind: 'invalid'; readonly reason: string }
  /** Not a result: the server requires input first (2026-07-28). */
  | { readonly kind: 'input-required'; readonly result: Readonly<Record<string, unknown>> }
  /** The server required input and did not receive it. */
  | { readonly kind: 'not-given'; readonly reason: string };

/** The unchanged result, or the failure. */
export type RequestOutcome =
  | {
      readonly ok: true;
      readonly result: Readonly<Record<string, unknown>>;
      /** JSON text of `result`, if available and without `_meta`. */
      readonly json?: string;
    }
  | { readonly ok: false; readonly failure: RequestFailure };

/** Returns whether a result asks for input instead of being one. MCP 2026-07-28, multi round-trip requests. */
const asksForInput = (result: Readonly<Record<string, unknown>>): boolean =>
  result['resultType'] === 'input_required';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refusalOf = (error: unknown): RequestFailure => {
  if (!isRecord(error)) return { kind: 'invalid', reason: 'the error is not an object' };
  const { code, message } = error;
  if (typeof code !== 'number') return { kind: 'invalid', reason: 'the error has no code' };
  return {
    kind: 'refused',
    rpcCode: code,
    message: typeof message === 'string' ? message : '',
    ...(Object.hasOwn(error, 'data') ? { data: error['data'] } : {}),
  };
};

/**
 * Parses a JSON-RPC answer. The result is returned unchanged.
 *
 * @param resultText JSON text of its `result`, if available
 */
export const outcomeOfAnswer = (
  answer: Readonly<Record<string, unknown>>,
  resultText?: string,
): RequestOutcome => {
  if (Object.hasOwn(answer, 'error')) return { ok: false, failure: refusalOf(answer['error']) };
  const result = answer['result'];
  if (!isRecord(result))
    return { ok: false, failure: { kind: 'invalid', reason: 'the result is not an object' } };
  if (asksForInput(result)) return { ok: false, failure: { kind: 'input-required', result } };
  return resultText === undefined || Object.hasOwn(result, '_meta')
    ? { ok: true, result }
    : { ok: true, result, json: resultText };
};

/** Returns the refusal in the text of an HTTP answer that is a JSON-RPC error. */
export const refusalInBody = (text: unknown): RequestFailure | undefined => {
  if (typeof text !== 'string') return undefined;
  try {
    const body: unknown = JSON.parse(text);
    if (!isRecord(body) || !isRecord(body['error'])) return undefined;
    const failure = refusalOf(body['error']);
    return failure.kind === 'refused' ? failure : undefined;
  } catch {
    return undefined;
  }
};

/** Returns the failure of a request that could not be sent, or whose HTTP answer could not be parsed. */
export const sendFailureOf = (error: unknown): RequestFailure => {
  if (error instanceof ResponseTooLargeError) return { kind: 'invalid', reason: error.message };
  if (error instanceof SyntaxError)
    return { kind: 'invalid', reason: `it is not JSON: ${error.message}` };
  if (error instanceof Error && error.name.endsWith('ZodError'))
    return { kind: 'invalid', reason: 'it is not a JSON-RPC message' };
  if (error instanceof SdkHttpError)
    return (
      refusalInBody(error.data['text']) ?? {
        kind: 'lost',
        reason: `HTTP ${error.data.status}`,
        httpStatus: error.data.status,
      }
    );
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent)
    return { kind: 'invalid', reason: reasonOf(error) };
  return { kind: 'lost', reason: reasonOf(error) };
};
