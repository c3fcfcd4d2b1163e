import { join } from 'node:path';
import { findFreePort } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { APP } from '../harness/gateway.ts';
import { listenHttp, type Answer } from '../harness/http-listener.ts';
import { startNode } from '../harness/process.ts';

/** Runs `ask.mjs` against an address and returns its sentence, with URL in place of the address. */
const askAt = async (origin: string): Promise<readonly string[]> => {
  const url = `${origin}/mcp`;
  const asked = startNode([join(APP, 'example/ask.mjs'), 'list_tools', '--url', url]);
  expect(await asked.exited).toEqual({ code: 1, signal: null });
  return asked.stderr.map((line) => line.replaceAll(url, 'URL'));
};

const ask = async (answer: Answer): Promise<readonly string[]> => askAt(await listenHttp(answer));

it('ask.mjs reports that there was no answer only when there was none', async () => {
  expect(await askAt(`http://127.0.0.1:${await findFreePort()}`)).toEqual([
    'No answer from URL: ECONNREFUSED. Is the gateway running (npm start)?',
  ]);
});

it('ask.mjs names the HTTP status of a service that is not a gateway', async () => {
  const answers = await ask((_, response) => response.writeHead(404).end('Not Found'));
  expect(answers).toEqual([
    'URL answers HTTP 404. Is it the endpoint of a gateway (npm start prints it)?',
  ]);
});

it('ask.mjs reports an answer that breaks off', async () => {
  const answers = await ask((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{', () => response.destroy());
  });
  expect(answers).toEqual([
    'The connection to URL ended before the end of the answer: UND_ERR_SOCKET.',
  ]);
});
