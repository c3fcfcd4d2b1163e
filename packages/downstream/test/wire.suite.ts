import { describe, expect, it, onTestFinished } from 'vitest';
import type { IncomingHttpHeaders } from 'node:http';
import { createModernEnvelope } from '../src/requests/outgoing-requests.ts';
import type { JsonObject } from '@gateway/call-contract';
import type { Wire } from '../src/wire/wire.ts';
import { eventually } from './harness/downstream.ts';
import { startRawHttp } from './harness/raw-http.ts';
import type { RawHttp } from './harness/raw-http.ts';

/** Makes a wire to a URL with the headers of a server's definition. */
export type MakeWire = (url: string, headers: Readonly<Record<string, string>>) => Wire;

const META = createModernEnvelope('2026-07-28', { name: 'test', version: '1' });
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
} as const;
const OWN_ID = 1_000_000_000;

/** A started wire and its reports. */
const started = async (wire: Wire) => {
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

/** The headers that a server may look at, without those of HTTP itself. */
const protocolHeaders = (headers: IncomingHttpHeaders): unknown => {
  const kept = Object.entries(headers).filter(([name]) =>
    /^(mcp-|accept$|content-type|x-)/.test(name),
  );
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
};

const withSession = (raw: RawHttp): void =>
  raw.setIntercept((_request, response) => {
    response.setHeader('mcp-session-id', 'one');
    return false;
  });

/** Requirements of every wire over Streamable HTTP, including headers. */
export const wireSuite = (name: string, make: MakeWire): void => {
  describe(name, () => {
    it.each([false, true])('brings the answer to its request (events: %s)', async (events) => {
      const raw = await startRawHttp({ events });
      const { ask, messages } = await started(make(raw.url, {}));
      ask(OWN_ID, 'tools/call', { name: 'result', arguments: { result: { fine: 1 } } });
      await eventually('it is answered', () => messages.length === 1);
      expect(messages).toEqual([{ jsonrpc: '2.0', id: OWN_ID, result: { fine: 1 } }]);
    });

    it('distinguishes lost and refused requests', async () => {
      const raw = await startRawHttp();
      const { ask, ends } = await started(make(raw.url, {}));
      raw.setIntercept((_request, response) => {
        response.writeHead(503).end('later');
        return true;
      });
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
      const raw = await startRawHttp();
      const { ask, ends, messages } = await started(make(raw.url, {}));
      const exchange = ask(OWN_ID, 'tools/call', { name: 'hang' });
      await eventually('it arrived', () => raw.mcp.seen.length === 1);
      exchange.abandon();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect([...ends, ...messages]).toEqual([]);
    });

    it('closes once, and forwards nothing afterwards', async () => {
      const raw = await startRawHttp();
      const { wire, told } = await started(make(raw.url, {}));
      await wire.close();
      expect(told.closed).toBe(1);
      await expect(wire.send({ jsonrpc: '2.0', method: 'x' })).rejects.toThrow();
      expect(raw.headers).toEqual([]);
    });

    it('describes its messages in the headers', async () => {
      const raw = await startRawHttp();
      const { wire, ask, messages } = await started(make(raw.url, { 'X-Team': 'blue' }));
      withSession(raw);
      await wire.send(INITIALIZE);
      wire.setProtocolVersion('2025-11-25');
      await wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      await eventually('its stream was asked for', () => raw.headers.length === 3);
      ask(OWN_ID, 'tools/call', { name: 'result', arguments: { result: {} } });
      await eventually('it is answered', () => messages.length === 2);
      const params = { arguments: { result: {} }, _meta: META };
      ask(
        OWN_ID + 1,
        'tools/call',
        { name: 'größe', ...params },
        { 'Mcp-Param-A': '1', Authorization: 'x' },
      );
      await eventually('it is answered', () => messages.length === 3);
      const common = { accept: 'application/json, text/event-stream', 'x-team': 'blue' };
      const json = { ...common, 'content-type': 'application/json' };
      const session = { 'mcp-session-id': 'one', 'mcp-protocol-version': '2025-11-25' };
      expect(wire.hasSession).toBe(true);
      expect(raw.headers.map(protocolHeaders)).toEqual([
        // Only the own wire names the method of this request in a header.
        expect.objectContaining(json),
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
};
