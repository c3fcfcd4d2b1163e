import { expect } from 'vitest';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '@gateway/crd-schemas';
import type { DownstreamOptions } from '../../src/index.ts';
import { running, viewOf } from './downstream.ts';
import { startRawHttp } from './raw-http.ts';
import type { RawHttp, RawHttpOptions } from './raw-http.ts';
import { defineServer } from './servers.ts';

/** A call that every raw server answers with `fine`. */
export const call = { server: 'raw', tool: 'result', arguments: { result: { fine: 1 } } };
export const fine = { ok: true, result: { fine: 1 } };

/** A definition of a server over Streamable HTTP. */
export const remote = (
  url: string,
  spec: Readonly<Record<string, unknown>> = {},
  name = 'raw',
): McpServer => defineServer(name, { type: 'streamable-http', url, ...spec });

/** A raw server, connected. */
export const connected = async (
  http: RawHttpOptions = {},
  options: Partial<DownstreamOptions> = {},
  spec: Readonly<Record<string, unknown>> = {},
) => {
  const raw = await startRawHttp(http);
  const opened = await running([remote(raw.url, spec)], options);
  const view = () => viewOf(opened.downstream, 'raw');
  expect(view().state).toBe('Connected');
  return { raw, ...opened, view };
};

/** Answers one POST. */
export type Answer = (id: number, response: ServerResponse, request: IncomingMessage) => void;

/** The text of the right answer. */
export const answerOf = (id: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { fine: 1 } });

/** Answers the next POST as the test wants, the ones behind it as a server should. */
export const once = (raw: RawHttp, answer: Answer): void =>
  raw.onPost(({ id = 0 }, response, request) => {
    raw.setIntercept(undefined);
    answer(id, response, request);
    return true;
  });
