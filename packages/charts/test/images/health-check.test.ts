import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { parseExecForm, listInstructionTexts } from '../../src/dockerfile.ts';
import { findFreePort } from '@gateway/test-peers';
import { imageOf } from './apps.ts';

type Answer = 200 | 503 | 'none' | 'silence';

/** A port that answers every request with a status, leaves it without an answer, or does not listen. */
async function portThat(answer: Answer): Promise<number> {
  if (answer === 'none') return findFreePort();
  const server = createServer((_request, response) => {
    if (answer !== 'silence') response.writeHead(answer).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const { final } = imageOf('gateway');
const [, ...words] =
  parseExecForm(listInstructionTexts(final, 'HEALTHCHECK')[0]?.replace(/^.*?CMD /u, '') ?? '') ??
  [];

/** Runs the health check of the image with other ports. */
async function exitCode(endpoint: Answer, health: Answer): Promise<unknown> {
  const [port, healthPort] = [await portThat(endpoint), await portThat(health)];
  const args = words.map((word) =>
    word.replace(':8090/', `:${String(port)}/`).replace(':9464/', `:${String(healthPort)}/`),
  );
  return new Promise((exited) => {
    execFile(process.execPath, args, (error) => {
      exited(error?.code ?? 0);
    });
  });
}

it.each([
  ['silence', 200, 0],
  [200, 'none', 0],
  [200, 503, 0],
  ['none', 'none', 1],
  [503, 503, 1],
  [503, 'none', 1],
] as const)(
  'The health check of the gateway, with %s of the endpoint and %s of the port for probes, exits with %i.',
  async (endpoint, health, code) => {
    expect(await exitCode(endpoint, health)).toBe(code);
  },
);
