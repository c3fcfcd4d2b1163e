import type { IncomingMessage } from 'node:http';
import { failed, type ApiFailure, type ApiResult } from './api-failure.ts';
import { MAX_ANSWER_BYTES } from './limits.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A JSON object, or nothing of it. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** A text, or nothing. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The whole body as JSON (`undefined` where it is none), or `too-large`. Rejects where the connection breaks. */
const bodyOf = async (response: IncomingMessage): Promise<ApiResult<unknown>> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) {
      response.destroy();
      return failed({ kind: 'too-large', maxBytes: MAX_ANSWER_BYTES });
    }
    chunks.push(chunk);
  }
  return { ok: true, value: parsed(Buffer.concat(chunks).toString('utf8')) };
};

/** What a `Status` of the API says of a refusal. */
export const refusedOf = (status: number, body: unknown): ApiFailure => {
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

/** Reads a response to its end: the JSON object that was asked for, or the refusal. Rejects where the connection breaks. */
export const readAnswer = async (response: IncomingMessage): Promise<ApiResult<Fields>> => {
  const body = await bodyOf(response);
  if (!body.ok) return body;
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) return failed(refusedOf(status, body.value));
  return typeof body.value === 'object' && body.value !== null && !Array.isArray(body.value)
    ? { ok: true, value: body.value as Fields }
    : failed({ kind: 'unreadable' });
};
