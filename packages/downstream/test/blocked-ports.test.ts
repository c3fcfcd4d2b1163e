import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { detectServer } from '../src/index.ts';
import { sseOnly } from './fixtures/detectable.mjs';
import { running, viewOf } from './harness/downstream.ts';
import { respond, serve, startRawHttp } from './harness/raw-http.ts';
import { defineServer } from './harness/servers.ts';

/** Ports that browsers block, and with them the `fetch` of the platform. */
const BLOCKED = [10080, 6666, 6665, 6667, 6668, 6669, 6697, 6566, 5061, 5060];

/** Starts a server on the first of these ports that is free. */
const onBlockedPort = async <T>(start: (port: number) => Promise<T>): Promise<T> => {
  for (const port of BLOCKED) {
    const started = await start(port).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    });
    if (started !== undefined) return started;
  }
  throw new Error('no port that browsers block is free');
};

const detect = (url: string) => {
  const clientInfo = { name: 'gateway', version: '0.0.0' };
  return detectServer({ url, timeoutMs: 5_000 }, { clientInfo, allowPrivate: true });
};

describe('a server on a port that browsers block', () => {
  it('is refused by the fetch of the platform', async () => {
    const { url } = await onBlockedPort((port) => serve(respond(200), port));
    await expect(fetch(url)).rejects.toMatchObject({ cause: { message: 'bad port' } });
  });

  it.each([
    ['sse', (port: number) => serve(sseOnly(), port)],
    ['streamable-http', (port: number) => startRawHttp({ port })],
  ])('is connected over %s', async (type, start) => {
    const { url } = await onBlockedPort<{ readonly url: string }>(start);
    const { downstream } = await running([defineServer('it', { type, url })]);
    expect(viewOf(downstream, 'it').state).toBe('Connected');
    expect(await detect(url)).toMatchObject({ kind: 'found', transport: type });
  });
});

describe('a redirect of a server over SSE', () => {
  /** Starts a server that redirects its first path, and connects to it with a secret header. */
  const connect = async (location: string) => {
    const old = sseOnly();
    const { port } = await serve((request, response) => {
      if (request.url === '/start') respond(307, '', { location })(request, response);
      else old(request, response);
    });
    const url = `http://127.0.0.1:${port}/start`;
    const server = defineServer('old', { type: 'sse', url, headers: { 'X-Key': 'hush' } });
    const { downstream } = await running([server]);
    return viewOf(downstream, 'old').state;
  };

  it('is followed within the origin, a limited number of times', async () => {
    expect(await connect('/mcp')).toBe('Connected');
    expect(await connect('/start')).toBe('Failed');
  });

  it('is not followed to another origin, which receives no header', async () => {
    const received: IncomingHttpHeaders[] = [];
    const other = await serve((request, response) => {
      received.push(request.headers);
      response.end();
    });
    expect(await connect(other.url)).toBe('Failed');
    expect(received).toEqual([]);
  });
});
