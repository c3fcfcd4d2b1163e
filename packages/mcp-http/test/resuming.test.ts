import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { readEvents } from './event-reader.ts';
import { talkingFaces, type TalkingFace } from './talking-face.ts';
import { call, openSession, post, send, until } from './wire-client.ts';

const { start, end } = talkingFaces();
afterEach(end);

const REVISION = { 'mcp-protocol-version': '2025-11-25' };

const sessionOf = async (face: TalkingFace): Promise<Readonly<Record<string, string>>> => ({
  'mcp-session-id': await openSession(face.url),
  ...REVISION,
});

/** A call that is quiet until the test reports progress. */
const waiting = (): object => call('wait', {}, { progressToken: 't' });

const report = (face: TalkingFace, progress: number): void => {
  face.talking.waiting.at(-1)?.onProgress?.({ progress });
};

const startCall = async (face: TalkingFace, headers: Readonly<Record<string, string>>) => {
  const opening = readEvents(face.url, { headers, body: waiting() });
  const before = face.talking.waiting.length;
  await until(() => face.talking.waiting.length === before + 1);
  report(face, 1);
  const reader = await opening;
  await reader.atLeast(1);
  return reader;
};

describe('the stream of a call', () => {
  it('begins with an id to come back with, and every event has one', async () => {
    const face = await start();
    const reader = await startCall(face, await sessionOf(face));
    face.talking.release();
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
    const face = await start();
    const headers = { 'mcp-session-id': await openSession(face.url), ...revision };
    const reader = await startCall(face, headers);
    expect(reader.lastId()).toBeUndefined();
    reader.cut();
    await until(() => face.talking.aborted.length === 1);
    expect(face.talking.aborted).toEqual(['The caller has disconnected']);
  });

  it('goes on for a client that comes back, with what it has missed', async () => {
    const face = await start();
    const headers = await sessionOf(face);
    const reader = await startCall(face, headers);
    reader.cut();
    await until(reader.hasEnded);
    report(face, 2);
    report(face, 3);
    const again = await readEvents(face.url, {
      headers: { ...headers, 'last-event-id': reader.lastId() ?? '' },
    });
    await again.atLeast(2);
    report(face, 4);
    face.talking.release();
    await again.ended();
    expect(again.messages().map(({ params, result }) => params?.progress ?? result)).toEqual([
      2,
      3,
      4,
      { content: [{ type: 'text', text: '"released"' }] },
    ]);
    expect(face.talking.aborted).toEqual([]);
  });

  it('gives the answer to a client that comes back after the end, as often as it comes', async () => {
    const face = await start();
    const headers = await sessionOf(face);
    const reader = await startCall(face, headers);
    reader.cut();
    await until(reader.hasEnded);
    face.talking.release();
    await until(() => face.mcp.stats().inFlight === 0);
    for (let at = 0; at < 2; at += 1) {
      const again = await readEvents(face.url, {
        headers: { ...headers, 'last-event-id': reader.lastId() ?? '' },
      });
      await again.ended();
      expect(again.messages()).toMatchObject([{ id: 1, result: {} }]);
    }
  });

  it('is not given to another session, and an id of nowhere is refused', async () => {
    const face = await start();
    const reader = await startCall(face, await sessionOf(face));
    const other = await sessionOf(face);
    const ids = [reader.lastId() ?? '', 'x', '__proto__', '9'.repeat(400), 'a.post1.1e9'];
    for (const id of ids) {
      const headers = { ...other, accept: 'text/event-stream', 'last-event-id': id };
      const answer = await send(face.url, { method: 'GET', headers });
      expect([answer.status, answer.json.error.message]).toEqual([
        400,
        'Last-Event-ID names nothing that can be resumed; start again without it',
      ]);
    }
    reader.cut();
  });

  it('is cancelled when its client stays away for too long', async () => {
    const face = await start({ limits: { resumeWindowMs: 40 } });
    const reader = await startCall(face, await sessionOf(face));
    reader.cut();
    await until(reader.hasEnded);
    expect(face.talking.aborted).toEqual([]);
    await until(() => face.talking.aborted.length === 1);
    expect(face.talking.aborted).toEqual(['The caller has disconnected']);
    expect(face.mcp.stats().inFlight).toBe(0);
  });

  it('is cancelled with its session while its client is away', async () => {
    const face = await start();
    const headers = await sessionOf(face);
    const reader = await startCall(face, headers);
    reader.cut();
    await until(reader.hasEnded);
    await send(face.url, { method: 'DELETE', headers });
    expect(face.talking.aborted).toEqual(['The session has ended']);
  });

  it('can be cancelled by its client while it is away', async () => {
    const face = await start();
    const headers = await sessionOf(face);
    const reader = await startCall(face, headers);
    reader.cut();
    await until(reader.hasEnded);
    const params = { requestId: 1, reason: 'enough' };
    await post(face.url, { jsonrpc: '2.0', method: 'notifications/cancelled', params }, headers);
    expect(face.talking.aborted).toEqual(['enough']);
  });

  it('keeps a bounded number of events, the last ones', async () => {
    const face = await start({ limits: { maxLoggedEvents: 3 } });
    const headers = await sessionOf(face);
    const reader = await startCall(face, headers);
    reader.cut();
    await until(reader.hasEnded);
    for (let at = 2; at < 100; at += 1) report(face, at);
    face.talking.release();
    const again = await readEvents(face.url, {
      headers: { ...headers, 'last-event-id': reader.lastId() ?? '' },
    });
    await again.ended();
    expect(again.messages().map(({ params }) => params?.progress as unknown)).toEqual([
      98,
      99,
      undefined,
    ]);
  });

  it('moves to the connection that came last', async () => {
    const face = await start();
    const headers = await sessionOf(face);
    const reader = await startCall(face, headers);
    const lastId = { 'last-event-id': reader.lastId() ?? '' };
    const second = await readEvents(face.url, { headers: { ...headers, ...lastId } });
    await reader.ended();
    face.talking.release();
    await second.ended();
    expect(second.messages()).toHaveLength(1);
    expect(reader.messages()).toHaveLength(1);
  });
});

describe('the stream of a session', () => {
  it('goes on for a client that comes back, with what it has missed', async () => {
    const face = await start();
    const headers = await sessionOf(face);
    const reader = await readEvents(face.url, { headers });
    await until(() => reader.lastId() !== undefined);
    reader.cut();
    await until(() => face.mcp.stats().streams === 0);
    face.talking.setTools('', ['new']);
    face.talking.changed('tools');
    await new Promise((resolve) => setTimeout(resolve, 10));
    const again = await readEvents(face.url, {
      headers: { ...headers, 'last-event-id': reader.lastId() ?? '' },
    });
    expect(await again.atLeast(1)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} },
    ]);
    again.cut();
  });

  it('is opened anew for a client that comes back too late', async () => {
    const face = await start({ limits: { resumeWindowMs: 10 } });
    const headers = await sessionOf(face);
    const reader = await readEvents(face.url, { headers });
    await until(() => reader.lastId() !== undefined);
    reader.cut();
    await until(() => face.mcp.stats().streams === 0);
    await new Promise((resolve) => setTimeout(resolve, 40));
    const again = await readEvents(face.url, {
      headers: { ...headers, 'last-event-id': reader.lastId() ?? '' },
    });
    expect(again.status).toBe(200);
    await until(() => again.lastId() !== undefined);
    expect(again.lastId()).not.toBe(reader.lastId());
    again.cut();
  });
});

describe('the client of the SDK', () => {
  it('comes back to the answer of its call when its connection is cut', async () => {
    const face = await start();
    const client = new Client({ name: 'resuming', version: '1' });
    const cuts: (() => void)[] = [];
    const transport = new StreamableHTTPClientTransport(new URL(face.url), {
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
    await until(() => face.talking.waiting.length === 1);
    report(face, 1);
    await until(() => seen.length === 1);
    for (const cut of cuts) cut();
    report(face, 2);
    face.talking.release();
    expect(await running).toEqual({ content: [{ type: 'text', text: '"released"' }] });
    expect(seen).toEqual([1, 2]);
    await client.close();
  });
});
