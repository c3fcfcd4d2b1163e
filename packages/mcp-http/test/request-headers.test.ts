import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeaderReader, joinValues, KnownHeaders } from '../src/protocol/client-message.ts';

const NAMES = {
  host: 'host',
  origin: 'origin',
  accept: 'accept',
  contentType: 'content-type',
  contentEncoding: 'content-encoding',
  sessionId: 'mcp-session-id',
  protocolVersion: 'mcp-protocol-version',
  mcpMethod: 'mcp-method',
  mcpName: 'mcp-name',
} as const;

describe('the headers that the endpoint reads', () => {
  it('are the raw lines, whatever the case of their names', () => {
    const name = fc.constantFrom(...Object.values(NAMES), 'user-agent', 'mcp-nama', 'x-toolset');
    const written = fc
      .tuple(name, fc.boolean())
      .map(([text, isUpper]) => (isUpper ? text.toUpperCase() : text));
    const line = fc.tuple(written, fc.constantFrom('', 'a', 'b, c', 'd'));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const request = { rawHeaders: lines.flat() };
        const known = new KnownHeaders(request);
        const header = createHeaderReader(request);
        for (const [member, of] of Object.entries(NAMES)) {
          const value = known[member as keyof typeof NAMES];
          expect(joinValues(value)).toBe(header(of)?.join(', '));
          expect(Array.isArray(value)).toBe((header(of)?.length ?? 0) > 1);
        }
      }),
    );
  });

  it('are never inherited properties', () => {
    const request = { rawHeaders: ['__proto__', 'a', 'constructor', 'b', 'toString', 'c'] };
    expect(Object.values(new KnownHeaders(request)).every((value) => value === undefined)).toBe(
      true,
    );
  });
});
