import type { IncomingMessage } from 'node:http';
import { MAX_RESPONSE_BYTES } from '../limits.ts';
import { fieldsOf, jsonOf, textOf } from '../objects/json-fields.ts';
import { failed, type ApiFailure, type ApiResult } from './api-result.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the body as JSON (undefined for invalid JSON), or `too-large`. Rejects when the connection fails. */
const bodyOf = async (response: IncomingMessage): Promise<ApiResult<unknown>> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) {
      response.destroy();
      return failed({ kind: 'too-large', maxBytes: MAX_RESPONSE_BYTES });
    }
    chunks.push(chunk);
  }
  return { ok: true, value: jsonOf(Buffer.concat(chunks).toString('utf8')) };
};

/** Returns the failure that a `Status` object of the API describes. */
export const refusalOf = (
  status: number,
  body: unknown,
): Extract<ApiFailure, { kind: 'refused' }> => {
  const fields = fieldsOf(body);
  const details = fieldsOf(fields['details']);
  const message = textOf(fields['message']);
  const reason = textOf(fields['reason']);
  const resource = textOf(details['kind']);
  const name = textOf(details['name']);
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
export const retryAfterOf = ({ headers }: IncomingMessage): number | undefined => {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
};

/** Reads a response to its end. Returns its JSON object or the refusal. Rejects when the connection fails. */
export const readResponse = async (response: IncomingMessage): Promise<ApiResult<Fields>> => {
  const body = await bodyOf(response);
  if (!body.ok) return body;
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) {
    const retryAfterMs = retryAfterOf(response);
    const refusal = refusalOf(status, body.value);
    return failed(retryAfterMs === undefined ? refusal : { ...refusal, retryAfterMs });
  }
  return typeof body.value === 'object' && body.value !== null && !Array.isArray(body.value)
    ? { ok: true, value: body.value as Fields }
    : failed({ kind: 'unreadable' });
};
