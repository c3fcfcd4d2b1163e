import { expect } from 'vitest';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { testDownstream, viewOf } from './downstream.ts';
import type { DownstreamOptions } from '../../src/index.ts';
import { startRawHttp } from './raw-http.ts';
import type { RawHttp, RawHttpOptions } from './raw-http.ts';
import { defineServer } from './servers.ts';

/** A call that every raw server answers with `fine`. */
export const call = { server: 'raw', tool: 'result', arguments: { result: { fine: 1 } } };
export const fine = { ok: true, result: { fine: 1 } };

/** A raw server, connected. */
export const connected = async (
  http: RawHttpOptions = {},
  options: Partial<DownstreamOptions> = {},
  spec: Readonly<Record<string, unknown>> = {},
) => {
  const raw = await startRawHttp(http);
  const { downstream, log } = testDownstream(options);
  downstream.apply([defineServer('raw', { type: 'streamable-http', url: raw.url, ...spec })]);
  await downstream.settled();
  expect(viewOf(downstream, 'raw').state).toBe('Connected');
  return { raw, downstream, log };
};

/** Answers one POST. */
export type Answer = (id: number, response: ServerResponse, request: IncomingMessage) => void;

export const JSON_TYPE = { 'content-type': 'application/json' };
export const EVENTS = { 'content-type': 'text/event-stream' };
/** The text of the right answer. */
export const answerOf = (id: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { fine: 1 } });

/** Answers the next POST as the test wants, the ones behind it as a server should. */
export const once = (raw: RawHttp, answer: Answer): void =>
  raw.setIntercept((request, response) => {
    if (request.method !== 'POST') return false;
    raw.setIntercept(undefined);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => answer((JSON.parse(body) as { id: number }).id, response, request));
    return true;
  });
