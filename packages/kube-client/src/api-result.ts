import { isJsonObject } from '@gateway/call-contract';
import type { IncomingMessage } from 'node:http';
import { type ApiKind, toFields, parseJson, type ObjectKey, toText } from './api-object.ts';

/** The maximum size of a response, in bytes; a page of 500 large objects has about 10 MB. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** The reason why a request has no usable response. */
export type ApiFailure =
  /** The API, or a proxy in front of it, refused the request. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** The message of the API. */
      readonly message?: string;
      readonly reason?: string;
      /** The resource and the name that the refusal is about, where the API gives them. */
      readonly resource?: string;
      readonly name?: string;
      /** The time that the API asks to wait before the next attempt, in milliseconds. */
      readonly retryAfterMs?: number;
    }
  /** The connection failed, with an error code of Node. */
  | { readonly kind: 'broken'; readonly code: string }
  | { readonly kind: 'late'; readonly afterMs: number }
  | { readonly kind: 'too-large'; readonly maxBytes: number }
  | { readonly kind: 'too-many'; readonly max: number }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'no-credentials'; readonly code?: string }
  | { readonly kind: 'closed' };

/** The result of a request. */
export type ApiResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: ApiFailure };

/** Returns a failure as a result. */
export const toFailure = (
  failure: ApiFailure,
): { readonly ok: false; readonly failure: ApiFailure } => ({ ok: false, failure });

/** Returns whether the API refused the request with this status. */
export const hasStatus = (failure: ApiFailure, status: number): boolean =>
  failure.kind === 'refused' && failure.status === status;

/** Returns whether this object does not exist. A missing kind or namespace is another failure. */
export const isNotFound = (failure: ApiFailure, kind: ApiKind, { name }: ObjectKey): boolean =>
  failure.kind === 'refused' &&
  failure.status === 404 &&
  failure.resource === kind.resource &&
  failure.name === name;

type Fields = Readonly<Record<string, unknown>>;

/** Returns the body as JSON (undefined for invalid JSON), or `too-large`. Rejects when the connection fails. */
const readBody = async (response: IncomingMessage): Promise<ApiResult<unknown>> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) {
      response.destroy();
      return toFailure({ kind: 'too-large', maxBytes: MAX_RESPONSE_BYTES });
    }
    chunks.push(chunk);
  }
  return { ok: true, value: parseJson(Buffer.concat(chunks).toString('utf8')) };
};

/** Returns the failure that a `Status` object of the API describes. */
export const parseRefusal = (
  status: number,
  body: unknown,
): Extract<ApiFailure, { kind: 'refused' }> => {
  const fields = toFields(body);
  const details = toFields(fields['details']);
  const message = toText(fields['message']);
  const reason = toText(fields['reason']);
  const resource = toText(details['kind']);
  const name = toText(details['name']);
  return {
    kind: 'refused',
    status,
    ...(message === undefined ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    ...(resource === undefined ? {} : { resource }),
    ...(name === undefined ? {} : { name }),
  };
};

/** Returns how long a response asks to wait, in milliseconds. */
export const parseRetryAfter = ({ headers }: IncomingMessage): number | undefined => {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
};

/** Reads a response to its end. Returns its JSON object or the refusal. Rejects when the connection fails. */
export const readResponse = async (response: IncomingMessage): Promise<ApiResult<Fields>> => {
  const body = await readBody(response);
  if (!body.ok) return body;
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) {
    const retryAfterMs = parseRetryAfter(response);
    const refusal = parseRefusal(status, body.value);
    return toFailure(retryAfterMs === undefined ? refusal : { ...refusal, retryAfterMs });
  }
  return isJsonObject(body.value)
    ? { ok: true, value: body.value }
    : toFailure({ kind: 'unreadable' });
};

/** The maximum length of a message of the Kubernetes API that is passed on, in characters. */
const MAX_MESSAGE_CHARS = 2_000;

const shorten = (text: string): string =>
  text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text;

const formatRefusal = ({ status, message }: Extract<ApiFailure, { kind: 'refused' }>): string => {
  const text = `it answered ${String(status)}`;
  return message === undefined ? text : `${text}: ${shorten(message)}`;
};

const formatCredentialsProblem = (code: string | undefined): string =>
  code === undefined ? 'there are no credentials for it' : `there are no credentials (${code})`;

/** Returns the reason of a failure as a clause about the API, without addresses and credentials: `it answered 403: …`. */
export const formatApiFailure = (failure: ApiFailure): string => {
  switch (failure.kind) {
    case 'refused':
      return formatRefusal(failure);
    case 'broken':
      return `the connection failed (${failure.code})`;
    case 'late':
      return `it did not answer within ${String(failure.afterMs)} ms`;
    case 'too-large':
      return `its answer is larger than ${String(failure.maxBytes)} bytes`;
    case 'too-many':
      return `there are more than ${String(failure.max)}`;
    case 'unreadable':
      return 'its answer is not what was asked for';
    case 'no-credentials':
      return formatCredentialsProblem(failure.code);
    case 'closed':
      return 'the store is closed';
  }
};
