import { createServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { detectServer } from '../src/index.ts';
import { sseOnly } from './fixtures/detectable.mjs';
import { testDownstream, viewOf } from './harness/downstream.ts';
import { startRawHttp } from './harness/raw-http.ts';
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

const serve = async (listener: RequestListener, port = 0): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  return `http://127.0.0.1:${address.port}`;
};

const detect = (url: string) =>
  detectServer(
    { url, timeoutMs: 5_000 },
    { clientInfo: { name: 'gateway', version: '0.0.0' }, allowPrivate: true },
  );

describe('a server on a port that browsers block', () => {
  it('is refused by the fetch of the platform', async () => {
    const origin = await onBlockedPort((port) =>
      serve((_request, response) => response.end(), port),
    );
    await expect(fetch(origin)).rejects.toMatchObject({ cause: { message: 'bad port' } });
  });

  it('is connected over SSE', async () => {
    const origin = await onBlockedPort((port) => serve(sseOnly(), port));
    const { downstream } = testDownstream();
    downstream.apply([defineServer('old', { type: 'sse', url: `${origin}/mcp` })]);
    await downstream.settled();
    expect(viewOf(downstream, 'old').state).toBe('Connected');
    expect(await detect(`${origin}/mcp`)).toMatchObject({ kind: 'found', transport: 'sse' });
  });

  it('is connected over Streamable HTTP', async () => {
    const { url } = await onBlockedPort((port) => startRawHttp({ port }));
    const { downstream } = testDownstream();
    downstream.apply([defineServer('new', { type: 'streamable-http', url })]);
    await downstream.settled();
    expect(viewOf(downstream, 'new').state).toBe('Connected');
    expect(await detect(url)).toMatchObject({ kind: 'found', transport: 'streamable-http' });
  });
});

describe('a redirect of a server over SSE', () => {
  /** Starts a server that redirects its first path, and connects to it with a secret header. */
  const connect = async (location: string) => {
    const old = sseOnly();
    const origin = await serve((request, response) => {
      if (request.url === '/start') response.writeHead(307, { location }).end();
      else old(request, response);
    });
    const { downstream } = testDownstream();
    const headers = { 'X-Key': 'hush' };
    downstream.apply([defineServer('old', { type: 'sse', url: `${origin}/start`, headers })]);
    await downstream.settled();
    return viewOf(downstream, 'old');
  };

  it('is followed within the origin', async () => {
    expect((await connect('/mcp')).state).toBe('Connected');
  });

  it('is not followed to another origin, which receives no header', async () => {
    const received: IncomingHttpHeaders[] = [];
    const other = await serve((request, response) => {
      received.push(request.headers);
      response.end();
    });
    expect((await connect(`${other}/mcp`)).state).toBe('Failed');
    expect(received).toEqual([]);
  });

  it('is followed a limited number of times', async () => {
    expect((await connect('/start')).state).toBe('Failed');
  });
});
