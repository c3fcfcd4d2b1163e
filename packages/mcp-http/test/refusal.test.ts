import { describe, expect, it } from 'vitest';
import { toRpcError, toRefusalStatus, type EndpointRefusal } from '../src/protocol/refusal.ts';

const SUPPORTED = ['2025-11-25', '2025-06-18'];
const OWN = { code: -32022, message: 'as given' };

describe('a refusal', () => {
  it.each<[EndpointRefusal, string]>([
    [{ code: 'host-not-allowed', host: 'x' }, '403 -32000 Host "x" is not allowed'],
    [{ code: 'origin-not-allowed', origin: 'y' }, '403 -32000 Origin "y" is not allowed'],
    [
      { code: 'too-many-headers', limit: 200 },
      '431 -32000 The request has more than 200 header lines',
    ],
    [{ code: 'method-not-allowed', allow: 'POST' }, '405 -32000 Method not allowed; use POST'],
    [{ code: 'unsupported-media-type' }, '415 -32000 Content-Type must be application/json'],
    [
      { code: 'unsupported-encoding' },
      '415 -32000 Content-Encoding is not supported; send the body as it is',
    ],
    [
      { code: 'not-acceptable', expected: 'text/event-stream' },
      '406 -32000 Accept must allow text/event-stream',
    ],
    [
      { code: 'body-too-large', limit: 10 },
      '413 -32000 The request body is larger than the 10 bytes allowed',
    ],
    [
      { code: 'bodies-full', limit: 10 },
      '503 -32000 Too many request bodies at once: the limit of 10 bytes is reached; retry later',
    ],
    [
      { code: 'caller-calls-full', limit: 128, queueLimit: 64 },
      '503 -32000 Too many concurrent requests of one caller: 128 are running and 64 are waiting; retry later',
    ],
    [
      { code: 'rate-limited', limit: 200, retryAfterSeconds: 2 },
      '429 -32000 Too many requests of one caller: 200 per second are allowed; retry after 2 s',
    ],
    [{ code: 'not-json' }, '400 -32700 Parse error: the request body is not valid JSON'],
    [
      { code: 'too-deep', limit: 128 },
      '400 -32600 The request body is nested deeper than the 128 levels allowed',
    ],
    [
      { code: 'too-many-values', limit: 100_000 },
      '400 -32600 The request body has more than the 100000 members, objects and arrays allowed',
    ],
    [
      { code: 'batch-not-served', revision: '2025-06-18' },
      '400 -32600 JSON-RPC batches are not part of protocol revision 2025-06-18',
    ],
    [
      { code: 'batch-too-large', limit: 64, count: 65 },
      '400 -32600 The batch has 65 messages, more than the 64 allowed',
    ],
    [{ code: 'initialize-in-batch' }, '400 -32600 initialize cannot be part of a batch'],
    [
      { code: 'unsupported-revision', supported: SUPPORTED },
      '400 -32000 MCP-Protocol-Version is not supported; supported are 2025-11-25, 2025-06-18',
    ],
    [
      { code: 'session-not-found' },
      '404 -32001 Session not found; start a new one with initialize',
    ],
    [
      { code: 'event-not-found' },
      '400 -32000 Last-Event-ID names nothing that can be resumed; start again without it',
    ],
    [
      { code: 'sessions-full', limit: 2 },
      '503 -32000 Too many sessions: all 2 are busy; retry later',
    ],
    [
      { code: 'calls-full', limit: 256 },
      '503 -32000 Too many concurrent requests: the limit of 256 is reached; retry later',
    ],
    [{ code: 'draining' }, '503 -32000 The server is shutting down; retry on another connection'],
    [{ code: 'internal' }, '500 -32603 Internal error'],
    [{ code: 'protocol-error', status: 400, error: OWN }, '400 -32022 as given'],
  ])('%j has a status, a code and a message: %s', (refusal, expected) => {
    const { code, message } = toRpcError(refusal);
    expect(`${toRefusalStatus(refusal)} ${code} ${message}`).toBe(expected);
  });

  it('repeats at most 200 characters of a header', () => {
    const { message } = toRpcError({ code: 'host-not-allowed', host: 'x'.repeat(10_000) });
    expect(message).toBe(`Host "${'x'.repeat(200)}…" is not allowed`);
  });
});
