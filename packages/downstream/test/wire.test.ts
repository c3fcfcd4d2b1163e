import type { JsonObject } from '@gateway/call-contract';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createModernEnvelope } from '../src/requests/outgoing-requests.ts';
import { HttpConnections } from '../src/wire/http/server-exchange.ts';
import { HttpWire } from '../src/wire/http/http-wire.ts';
import { SseWire } from '../src/wire/http/sse-wire.ts';
import type { Wire } from '../src/wire/wire.ts';
import { eventually } from './harness/downstream.ts';
import { EVENTS, respond, startRawHttp } from './harness/raw-http.ts';
import type { RawHttpOptions } from './harness/raw-http.ts';

const silent = { onNetworkError: () => undefined };

const wireOptions = (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const connections = new HttpConnections({ connectTimeoutMs: 1_000, maxConnections: 8 }, silent);
  onTestFinished(() => connections.close());
  return { url: new URL(url), headers, maxBytes: 1_000_000, connections };
};

const OWN_ID = 1_000_000_000;

/** Starts a wire and records its reports. */
const startWire = async (wire: Wire) => {
  const messages: JsonObject[] = [];
  const ends: unknown[] = [];
  const told = { closed: 0 };
  await wire.start({
    onMessage: (message) => messages.push(message),
    onUnreadable: () => undefined,
    onError: () => undefined,
    onGap: () => undefined,
    onClosed: () => (told.closed += 1),
  });
  onTestFinished(() => wire.close());
  const ask = (id: number, method: string, params: JsonObject, headers?: Record<string, string>) =>
    wire.exchange(
      { id, method, params, headers },
      { isOver: false, onEnd: (failure) => ends.push(failure) },
    );
  return { wire, messages, ends, told, ask };
};

/** A started wire to a raw server. */
const started = async (http: RawHttpOptions = {}, headers: Record<string, string> = {}) => {
  const raw = await startRawHttp(http);
  return { raw, ...(await startWire(new HttpWire(wireOptions(raw.url, headers)))) };
};

/** The headers that a server may look at, without those of HTTP itself. */
const protocolHeaders = (headers: IncomingHttpHeaders): unknown =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(mcp-|accept$|content-type|x-)/.test(name)),
  );

describe('a wire over Streamable HTTP', () => {
  it('distinguishes lost and refused requests', async () => {
    const { raw, ask, ends } = await started();
    raw.setIntercept(respond(503, 'later'));
    ask(OWN_ID, 'tools/call', { name: 'x' });
    await eventually('it has ended', () => ends.length === 1);
    await raw.close();
    ask(OWN_ID + 1, 'tools/call', { name: 'x' });
    await eventually('it has ended', () => ends.length === 2);
    expect(ends).toEqual([
      { kind: 'lost', reason: 'HTTP 503', httpStatus: 503, text: 'later' },
      { kind: 'lost', reason: expect.stringContaining('ECONNREFUSED') as string },
    ]);
  });

  it('reports nothing for an abandoned request', async () => {
    const { raw, ask, ends, messages } = await started();
    const exchange = ask(OWN_ID, 'tools/call', { name: 'hang' });
    await eventually('it arrived', () => raw.mcp.seen.length === 1);
    exchange.abandon();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([...ends, ...messages]).toEqual([]);
  });

  it('closes once, and forwards nothing afterwards', async () => {
    const { raw, wire, told } = await started();
    await wire.close();
    expect(told.closed).toBe(1);
    await expect(wire.send({ jsonrpc: '2.0', method: 'x' })).rejects.toThrow();
    expect(raw.headers).toEqual([]);
  });

  it('describes its messages in the headers', async () => {
    const { raw, wire, ask, messages } = await started({}, { 'X-Team': 'blue' });
    raw.setIntercept((_request, response) => {
      response.setHeader('mcp-session-id', 'one');
      return false;
    });
    const clientInfo = { name: 'test', version: '1' };
    const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await wire.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize });
    wire.setProtocolVersion('2025-11-25');
    await wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await eventually('its stream was asked for', () => raw.headers.length === 3);
    ask(OWN_ID, 'tools/call', { name: 'result', arguments: { result: {} } });
    await eventually('it is answered', () => messages.length === 2);
    const _meta = createModernEnvelope('2026-07-28', clientInfo);
    const own = { 'Mcp-Param-A': '1', Authorization: 'x' };
    ask(OWN_ID + 1, 'tools/call', { name: 'größe', arguments: { result: {} }, _meta }, own);
    await eventually('it is answered', () => messages.length === 3);
    const common = { accept: 'application/json, text/event-stream', 'x-team': 'blue' };
    const json = { ...common, 'content-type': 'application/json' };
    const session = { 'mcp-session-id': 'one', 'mcp-protocol-version': '2025-11-25' };
    expect(wire.hasSession).toBe(true);
    expect(raw.headers.map(protocolHeaders)).toEqual([
      { ...json, 'mcp-method': 'initialize' },
      { ...json, ...session },
      { ...common, ...session, accept: 'text/event-stream' },
      { ...json, ...session },
      {
        ...json,
        'mcp-session-id': 'one',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': '=?base64?Z3LDtsOfZQ==?=',
        'mcp-param-a': '1',
      },
    ]);
    expect(raw.headers.some((headers) => headers.authorization !== undefined)).toBe(false);
  });
});

it('posts to the last endpoint of an SSE server, relative to the URL of the stream', async () => {
  const raw = await startRawHttp();
  const posted: unknown[] = [];
  let stream: ServerResponse | undefined;
  raw.setIntercept((request, response) => {
    if (request.method !== 'GET') {
      posted.push(request.url);
      return respond(202)(request, response);
    }
    stream = response.writeHead(200, EVENTS);
    return stream.write('event: endpoint\ndata: messages/1\n\n');
  });
  const url = new URL('/mcp/sse', raw.url).href;
  const { wire, messages } = await startWire(new SseWire(wireOptions(url), () => undefined));
  await wire.send({ jsonrpc: '2.0', method: 'notifications/x' });
  stream?.write('event: endpoint\ndata: messages/2\n\ndata: {"method":"y"}\n\n');
  await eventually('the second endpoint has arrived', () => messages.length === 1);
  await wire.send({ jsonrpc: '2.0', method: 'notifications/x' });
  expect(posted).toEqual(['/mcp/messages/1', '/mcp/messages/2']);
});
