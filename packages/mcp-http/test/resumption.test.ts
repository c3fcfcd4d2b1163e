import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { start, type EndpointOptions } from './endpoint.ts';
import { call, pause, tell, until, type Headers } from './wire-client.ts';

const LOST = 'Last-Event-ID names nothing that can be resumed; start again without it';

/** Starts a call that is quiet until the test reports progress, which it has done once. */
const startCall = async (limits: EndpointOptions['limits'] = {}, headers?: Headers) => {
  const endpoint = await start({ limits });
  const session = headers ?? (await endpoint.startSession());
  const opening = endpoint.readEvents(session, call('wait', {}, { progressToken: 't' }));
  await endpoint.untilWaiting(1);
  endpoint.report(1);
  const reader = await opening;
  await reader.atLeast(1);
  const { aborted, release } = endpoint.interactive;
  return { ...endpoint, session, reader, aborted, release };
};

/** Starts such a call, whose client goes away. */
const loseCall = async (limits?: EndpointOptions['limits']) => {
  const started = await startCall(limits);
  const headers = { ...started.session, ...(await started.reader.cut()) };
  return { ...started, resume: () => started.readEvents(headers) };
};

describe('the stream of a call', () => {
  it('begins with an id to come back with, and every event has one', async () => {
    const { reader, release } = await startCall();
    release();
    await reader.ended();
    const [primed, ...events] = reader.events;
    expect(primed?.id).toMatch(/^[\w-]{8}\.post1\.1$/);
    expect(primed?.message).toBeUndefined();
    expect(events.map(({ id }) => id?.slice(9))).toEqual(['post1.2', 'post1.3']);
  });

  it.each([
    ['names no revision', '2025-11-25', {}],
    ['names an earlier one', '2025-06-18', { 'mcp-protocol-version': '2025-06-18' }],
  ])('has no ids for a client that %s', async (_title, revision, header) => {
    const { startSession, readEvents, untilWaiting, report, interactive } = await start();
    const { 'mcp-session-id': id } = await startSession({ revision });
    const body = call('wait', {}, { progressToken: 't' });
    const opening = readEvents({ 'mcp-session-id': id, ...header }, body);
    await untilWaiting(1);
    report(1);
    const reader = await opening;
    await reader.atLeast(1);
    expect(reader.lastId()).toBeUndefined();
    await reader.cut();
    await until(() => interactive.aborted.length === 1);
    expect(interactive.aborted).toEqual(['The caller has disconnected']);
  });

  it('continues for a client that resumes, with the events that it missed', async () => {
    const { resume, report, release, aborted } = await loseCall();
    report(2);
    report(3);
    const again = await resume();
    await again.atLeast(2);
    report(4);
    release();
    await again.ended();
    const result = { content: [{ type: 'text', text: '"released"' }] };
    const seen = again.messages().map((message) => message.params?.progress ?? message.result);
    expect(seen).toEqual([2, 3, 4, result]);
    expect(aborted).toEqual([]);
  });

  it('repeats the answer for a client that resumes after the end, as often as it resumes', async () => {
    const { resume, release, stats } = await loseCall();
    release();
    await until(() => stats().inFlight === 0);
    for (let at = 0; at < 2; at += 1) {
      const again = await resume();
      await again.ended();
      expect(again.messages()).toMatchObject([{ id: 1, result: {} }]);
    }
  });

  it('is not available to another session, and an unknown id is refused', async () => {
    const { reader, send, startSession } = await startCall();
    const other = { ...(await startSession()), accept: 'text/event-stream' };
    const ids = [reader.lastId() ?? '', 'x', '__proto__', '9'.repeat(400), 'a.post1.1e9'];
    for (const id of ids) {
      const { status, json } = await send({
        method: 'GET',
        headers: { ...other, 'last-event-id': id },
      });
      expect([status, json.error.message]).toEqual([400, LOST]);
    }
  });

  it('is cancelled when its client stays away for too long', async () => {
    const { aborted, stats } = await loseCall({ resumeWindowMs: 40 });
    await until(() => aborted.length === 1);
    expect(aborted).toEqual(['The caller has disconnected']);
    expect(stats().inFlight).toBe(0);
  });

  it('is cancelled with its session, or by its client, while that is away', async () => {
    const ended = await loseCall();
    expect(ended.aborted).toEqual([]);
    await ended.send({ method: 'DELETE', headers: ended.session });
    expect(ended.aborted).toEqual(['The session has ended']);
    const { post, session, aborted } = await loseCall();
    await post(tell('notifications/cancelled', { requestId: 1, reason: 'enough' }), session);
    expect(aborted).toEqual(['enough']);
  });

  it('stores a bounded number of events, the latest ones', async () => {
    const { resume, report, release } = await loseCall({ maxLoggedEvents: 3 });
    for (let at = 2; at < 100; at += 1) report(at);
    release();
    const again = await resume();
    await again.ended();
    const seen = again.messages().map(({ params }) => params?.progress as unknown);
    expect(seen).toEqual([98, 99, undefined]);
  });

  it('moves to the latest connection', async () => {
    const { reader, readEvents, session, release } = await startCall();
    const second = await readEvents({ ...session, 'last-event-id': reader.lastId() ?? '' });
    await reader.ended();
    release();
    await second.ended();
    expect([second.messages().length, reader.messages().length]).toEqual([1, 1]);
  });
});

describe('the stream of a session', () => {
  const loseStream = async (limits: EndpointOptions['limits'] = {}) => {
    const endpoint = await start({ limits });
    const session = await endpoint.startSession();
    const reader = await endpoint.readEvents(session);
    await reader.opened();
    const headers = { ...session, ...(await reader.cut()) };
    await until(() => endpoint.stats().streams === 0);
    return { ...endpoint, headers };
  };

  it('continues for a client that resumes, with the events that it missed', async () => {
    const { interactive, readEvents, headers } = await loseStream();
    interactive.setTools('', ['new']);
    interactive.changed('tools');
    await pause(10);
    const again = await readEvents(headers);
    expect(await again.atLeast(1)).toEqual([tell('notifications/tools/list_changed', {})]);
  });

  it('is reopened for a client that resumes too late', async () => {
    const { readEvents, headers } = await loseStream({ resumeWindowMs: 10 });
    await pause(40);
    const again = await readEvents(headers);
    expect(again.status).toBe(200);
    await again.opened();
    expect(again.lastId()).not.toBe(headers['last-event-id']);
  });
});

it('the client of the SDK resumes the answer of its call when its connection is closed', async () => {
  const { url, interactive, untilWaiting, report } = await start();
  const client = new Client({ name: 'resuming', version: '1' });
  const cuts: (() => void)[] = [];
  const delays = { initialReconnectionDelay: 10, maxReconnectionDelay: 20 };
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    reconnectionOptions: { ...delays, reconnectionDelayGrowFactor: 1, maxRetries: 3 },
    fetch: (target, init) => {
      const abort = new AbortController();
      cuts.push(() => abort.abort());
      return fetch(target, { ...init, signal: abort.signal });
    },
  });
  await client.connect(transport);
  const seen: unknown[] = [];
  const running = client.callTool({ name: 'wait', arguments: {} }, undefined, {
    onprogress: ({ progress }) => seen.push(progress),
  });
  await untilWaiting(1);
  report(1);
  await until(() => seen.length === 1);
  for (const cut of cuts) cut();
  report(2);
  interactive.release();
  expect(await running).toEqual({ content: [{ type: 'text', text: '"released"' }] });
  expect(seen).toEqual([1, 2]);
  await client.close();
});
