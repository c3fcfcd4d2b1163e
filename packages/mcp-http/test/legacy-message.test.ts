import { classifyInboundRequest } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isPlainLegacyBody,
  isPlainLegacyNotification,
  isLegacyRevision,
} from '../src/protocol/client-message.ts';

const isPlainLegacyRequest = (body: unknown, revision: string | undefined): boolean =>
  isPlainLegacyBody(body) && isLegacyRevision(revision);

const CLAIM = 'io.modelcontextprotocol/protocolVersion';

const message = fc.record(
  {
    jsonrpc: fc.constantFrom<unknown>('2.0', '2.0', '2.0', '1.0'),
    id: fc.oneof(fc.integer(), fc.string(), fc.double(), fc.constant(null)),
    method: fc.constantFrom<unknown>('ping', 'tools/call', 'x', '', 7),
    params: fc.oneof(
      fc.jsonValue(),
      fc.record({
        _meta: fc.oneof(
          fc.jsonValue(),
          fc.constant({ [CLAIM]: '2026-07-28' }),
          fc.record({ progressToken: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()) }),
        ),
      }),
    ),
  },
  { requiredKeys: [] },
);

describe('the fast path for requests of 2025-era clients', () => {
  it('accepts only bodies that the SDK classifies as such a request', () => {
    let taken = 0;
    fc.assert(
      fc.property(
        message,
        fc.constantFrom(undefined, '2025-11-25', '2026-07-28'),
        (body, header) => {
          if (!isPlainLegacyRequest(body, header)) return;
          taken += 1;
          const route = classifyInboundRequest({
            httpMethod: 'POST',
            body,
            ...(header !== undefined && { protocolVersionHeader: header }),
          });
          expect(route).toMatchObject({ kind: 'legacy', reason: 'no-claim' });
        },
      ),
      { numRuns: 3_000, seed: 1 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  it('accepts a plain call and rejects its modern neighbour', () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', _meta: {} } };
    const modern = { ...call, params: { name: 'x', _meta: { [CLAIM]: '2026-07-28' } } };
    expect(isPlainLegacyRequest(call, undefined)).toBe(true);
    expect(isPlainLegacyRequest(modern, undefined)).toBe(false);
    expect(isPlainLegacyRequest(call, '2026-07-28')).toBe(false);
  });
});

describe('the fast path for notifications of 2025-era clients', () => {
  it('accepts only bodies that the SDK classifies as such a notification', () => {
    let taken = 0;
    fc.assert(
      fc.property(message, fc.constantFrom(undefined, '2025-11-25'), (body, header) => {
        if (!isPlainLegacyNotification(body)) return;
        taken += 1;
        const route = classifyInboundRequest({
          httpMethod: 'POST',
          body,
          ...(header !== undefined && { protocolVersionHeader: header }),
        });
        expect(route).toMatchObject({ kind: 'legacy', reason: 'notification' });
      }),
      { numRuns: 4_000, seed: 1 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  it('accepts the one that starts a session and rejects a request, an answer and its modern neighbour', () => {
    const started = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const modern = { ...started, params: { _meta: { [CLAIM]: '2026-07-28' } } };
    expect(isPlainLegacyNotification(started)).toBe(true);
    expect(isPlainLegacyNotification({ ...started, params: {} })).toBe(true);
    expect(isPlainLegacyNotification({ ...started, id: 1 })).toBe(false);
    expect(isPlainLegacyNotification({ ...started, id: undefined })).toBe(false);
    expect(isPlainLegacyNotification({ ...started, result: {} })).toBe(false);
    expect(isPlainLegacyNotification({ jsonrpc: '2.0', id: 1, result: {} })).toBe(false);
    expect(isPlainLegacyNotification(modern)).toBe(false);
  });
});
