import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { readEvents } from './event-reader.ts';
import { interactiveEndpoints, type InteractiveEndpoint } from './interactive-endpoint.ts';
import { call, openSession, post, send, until } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

const REVISION = { 'mcp-protocol-version': '2025-11-25' };

const sessionOf = async (
  endpoint: InteractiveEndpoint,
): Promise<Readonly<Record<string, string>>> => ({
  'mcp-session-id': await openSession(endpoint.url),
  ...REVISION,
});

/** A call that is quiet until the test reports progress. */
const waiting = (): object => call('wait', {}, { progressToken: 't' });

const report = (endpoint: InteractiveEndpoint, progress: number): void => {
  endpoint.interactive.waiting.at(-1)?.onProgress?.({ progress });
};

const startCall = async (
  endpoint: InteractiveEndpoint,
  headers: Readonly<Record<string, string>>,
) => {
  const opening = readEvents(endpoint.url, { headers, body: waiting() });
  const before = endpoint.interactive.waiting.length;
  await until(() => endpoint.interactive.waiting.length === before + 1);
  report(endpoint, 1);
  const reader = await opening;
  await reader.atLeast(1);
  return reader;
};

describe('the stream of a call', () => {
  it('begins with an id to come back with, and every event has one', async () => {
    const endpoint = await start();
    const reader = await startCall(endpoint, await sessionOf(endpoint));
    endpoint.interactive.release();
    await reader.ended();
    const [primed, ...events] = reader.events;
    expect([primed?.id, primed?.message]).toEqual([
      expect.stringMatching(/^[\w-]{8}\.post1\.1$/),
      undefined,
    ]);
    expect(events.map(({ id }) => id?.split('.').slice(1))).toEqual([
      ['post1', '2'],
      ['post1', '3'],
    ]);
  });

  it.each([
    ['names no revision', {}],
    ['names an earlier one', { 'mcp-protocol-version': '2025-06-18' }],
  ])('has no ids for a client that %s', async (_title, revision) => {
    const endpoint = await start();
    const headers = { 'mcp-session-id': await openSession(endpoint.url), ...revision };
    const reader = await startCall(endpoint, headers);
    expect(reader.lastId()).toBeUndefined();
    reader.cut();
    await until(() => endpoint.interactive.aborted.length === 1);
    expect(endpoint.interactive.aborted).toEqual(['The caller has disconnected']);
  });

  it('continues for a client that resumes, with the events that it missed', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await startCall(endpoint, headers);
    reader.cut();
    await until(reader.hasEnded);
    report(endpoint, 2);
    report(endpoint, 3);
    const again = await readEvents(endpoint.url, {
      headers: { ...headers, 'last-event-id': reader.lastId() ?? '' },
    });
    await again.atLeast(2);
    report(endpoint, 4);
    endpoint.interactive.release();
    await again.ended();
    expect(again.messages().map(({ params, result }) => params?.progress ?? result)).toEqual([
      2,
      3,
      4,
      { content: [{ type: 'text', text: '"released"' }] },
    ]);
    expect(endpoint.interactive.aborted).toEqual([]);
  });

  it('repeats the answer for a client that resumes after the end, as often as it resumes', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await startCall(endpoint, headers);
    reader.cut();
    await until(reader.hasEnded);
    endpoint.interactive.release();
    await until(() => endpoint.mcp.stats().inFlight === 0);
    for (let at = 0; at < 2; at += 1) {
      const again = await readEvents(endpoint.url, {
        headers: { ...headers, 'last-event-id': reader.lastId() ?? '' },
      });
      await again.ended();
      expect(again.messages()).toMatchObject([{ id: 1, result: {} }]);
    }
  });

  it('is not available to another session, and an unknown id is refused', async () => {
    const endpoint = await start();
    const reader = await startCall(endpoint, await sessionOf(endpoint));
    const other = await sessionOf(endpoint);
    const ids = [reader.lastId() ?? '', 'x', '__proto__', '9'.repeat(400), 'a.post1.1e9'];
    for (const id of ids) {
      const headers = { ...other, accept: 'text/event-stream', 'last-event-id': id };
      const answer = await send(endpoint.url, { method: 'GET', headers });
      expect([answer.status, answer.json.error.message]).toEqual([
        400,
        'Last-Event-ID names nothing that can be resumed; start again without it',
      ]);
    }
    reader.cut();
  });

  it('is cancelled when its client stays away for too long', async () => {
    const endpoint = await start({ limits: { resumeWindowMs: 40 } });
    const reader = await startCall(endpoint, await sessionOf(endpoint));
    reader.cut();
    await until(reader.hasEnded);
    expect(endpoint.interactive.aborted).toEqual([]);
    await until(() => endpoint.interactive.aborted.length === 1);
    expect(endpoint.interactive.aborted).toEqual(['The caller has disconnected']);
    expect(endpoint.mcp.stats().inFlight).toBe(0);
  });

  it('is cancelled with its session while its client is away', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await startCall(endpoint, headers);
    reader.cut();
    await until(reader.hasEnded);
    await send(endpoint.url, { method: 'DELETE', headers });
    expect(endpoint.interactive.aborted).toEqual(['The session has ended']);
  });

  it('can be cancelled by its client while it is away', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await startCall(endpoint, headers);
    reader.cut();
    await until(reader.hasEnded);
    const params = { requestId: 1, reason: 'enough' };
    await post(
      endpoint.url,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params },
      headers,
    );
    expect(endpoint.interactive.aborted).toEqual(['enough']);
  });

  it('stores a bounded number of events, the latest ones', async () => {
    const endpoint = await start({ limits: { maxLoggedEvents: 3 } });
    const headers = await sessionOf(endpoint);
    const reader = await startCall(endpoint, headers);
    reader.cut();
    await until(reader.hasEnded);
    for (let at = 2; at < 100; at += 1) report(endpoint, at);
    endpoint.interactive.release();
    const again = await readEvents(endpoint.url, {
      headers: { ...headers, 'last-event-id': reader.lastId() ?? '' },
    });
    await again.ended();
    expect(again.messages().map(({ params }) => params?.progress as unknown)).toEqual([
      98,
      99,
      undefined,
    ]);
  });

  it('moves to the latest connection', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await startCall(endpoint, headers);
    const lastId = { 'last-event-id': reader.lastId() ?? '' };
    const second = await readEvents(endpoint.url, { headers: { ...headers, ...lastId } });
    await reader.ended();
    endpoint.interactive.release();
    await second.ended();
    expect(second.messages()).toHaveLength(1);
    expect(reader.messages()).toHaveLength(1);
  });
});

describe('the stream of a session', () => {
  it('continues for a client that resumes, with the events that it missed', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await readEvents(endpoint.url, { headers });
    await until(() => reader.lastId() !== undefined);
    reader.cut();
    await until(() => endpoint.mcp.stats().streams === 0);
    endpoint.interactive.setTools('', ['new']);
    endpoint.interactive.changed('tools');
    await new Promise((resolve) => setTimeout(resolve, 10));
    const again = await readEvents(endpoint.url, {
      headers: { ...headers, 'last-event-id': reader.lastId() ?? '' },
    });
    expect(await again.atLeast(1)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} },
    ]);
    again.cut();
  });

  it('is reopened for a client that resumes too late', async () => {
    const endpoint = await start({ limits: { resumeWindowMs: 10 } });
    const headers = await sessionOf(endpoint);
    const reader = await readEvents(endpoint.url, { headers });
    await until(() => reader.lastId() !== undefined);
    reader.cut();
    await until(() => endpoint.mcp.stats().streams === 0);
    await new Promise((resolve) => setTimeout(resolve, 40));
    const again = await readEvents(endpoint.url, {
      headers: { ...headers, 'last-event-id': reader.lastId() ?? '' },
    });
    expect(again.status).toBe(200);
    await until(() => again.lastId() !== undefined);
    expect(again.lastId()).not.toBe(reader.lastId());
    again.cut();
  });
});

describe('the client of the SDK', () => {
  it('resumes the answer of its call when its connection is closed', async () => {
    const endpoint = await start();
    const client = new Client({ name: 'resuming', version: '1' });
    const cuts: (() => void)[] = [];
    const transport = new StreamableHTTPClientTransport(new URL(endpoint.url), {
      reconnectionOptions: {
        initialReconnectionDelay: 10,
        maxReconnectionDelay: 20,
        reconnectionDelayGrowFactor: 1,
        maxRetries: 3,
      },
      fetch: async (url, init) => {
        const abort = new AbortController();
        cuts.push(() => abort.abort());
        const answer = await fetch(url, { ...init, signal: abort.signal });
        return answer;
      },
    });
    await client.connect(transport);
    const seen: unknown[] = [];
    const running = client.callTool({ name: 'wait', arguments: {} }, undefined, {
      onprogress: ({ progress }) => seen.push(progress),
    });
    await until(() => endpoint.interactive.waiting.length === 1);
    report(endpoint, 1);
    await until(() => seen.length === 1);
    for (const cut of cuts) cut();
    report(endpoint, 2);
    endpoint.interactive.release();
    expect(await running).toEqual({ content: [{ type: 'text', text: '"released"' }] });
    expect(seen).toEqual([1, 2]);
    await client.close();
  });
});
