import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toClientCapabilities, parseClientFeatures } from '../src/protocol/client-features.ts';
import { LEGACY_REVISIONS } from '../src/protocol/client-message.ts';
import { SessionTokens } from '../src/sessions/session-token.ts';

const KEY = Buffer.alloc(32, 7);
const FACTS = {
  revision: '2025-11-25',
  features: 0b0100_1001,
  issuedAt: 1_760_000_000_000,
  owner: '',
};

describe('a session id', () => {
  it("carries the revision, the client's features and the time of issue, for every holder of the key", () => {
    const id = new SessionTokens(KEY).issue(FACTS);
    expect(id).toMatch(/^[0-9a-f]{36}$/);
    expect(new SessionTokens(KEY).read(id)).toEqual(FACTS);
    expect(new SessionTokens(Buffer.alloc(32, 8)).read(id)).toBeUndefined();
    expect(new SessionTokens().read(id)).toBeUndefined();
  });

  it('is different each time', () => {
    const tokens = new SessionTokens(KEY);
    const ids = Array.from({ length: 1_000 }, () => tokens.issue(FACTS));
    expect(new Set(ids).size).toBe(1_000);
  });

  it('differs from others of the same client and second in its first 8 characters, which logs show', () => {
    const tokens = new SessionTokens(KEY);
    const ids = Array.from({ length: 50 }, () => tokens.issue(FACTS));
    expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(50);
  });

  it('names every revision that can be agreed', () => {
    const tokens = new SessionTokens(KEY);
    for (const revision of LEGACY_REVISIONS) {
      expect(tokens.read(tokens.issue({ ...FACTS, revision }))?.revision).toBe(revision);
    }
  });

  it('is invalid after any change', () => {
    const tokens = new SessionTokens(KEY);
    const id = tokens.issue(FACTS);
    fc.assert(
      fc.property(
        fc.nat(35),
        fc.constantFrom(...Array.from('0123456789abcdefABCDEF-é')),
        (at, char) => {
          fc.pre(id[at] !== char);
          const changed = id.slice(0, at) + char + id.slice(at + 1);
          expect(tokens.read(changed)).toBeUndefined();
        },
      ),
    );
  });

  it.each([
    '',
    '__proto__',
    'constructor',
    '😀'.repeat(18),
    '0'.repeat(36),
    '0'.repeat(10_000_000),
    '00000000-0000-4000-8000-000000000000',
  ])('is not anything else', (id) => {
    expect(new SessionTokens(KEY).read(id)).toBeUndefined();
  });
});

describe('the capabilities of a client', () => {
  it.each([
    [{}, {}],
    [{ sampling: {} }, { sampling: {} }],
    [{ sampling: { tools: {}, 'x-own': {} } }, { sampling: { tools: {} } }],
    [{ elicitation: { form: {}, url: {} } }, { elicitation: { form: {}, url: {} } }],
    [{ roots: { listChanged: true }, tools: {} }, { roots: { listChanged: true } }],
    [{ sampling: true, elicitation: null, roots: [] }, {}],
    [null, {}],
    ['sampling', {}],
    [JSON.parse('{"__proto__":{"sampling":{}}}'), {}],
  ])('of %j are kept as %j', (declared, kept) => {
    expect(toClientCapabilities(parseClientFeatures(declared))).toEqual(kept);
  });

  it('come back the same from every combination of bits that a client can declare', () => {
    fc.assert(
      fc.property(fc.nat(255), (bits) => {
        const features = parseClientFeatures(toClientCapabilities(bits));
        expect(parseClientFeatures(toClientCapabilities(features))).toBe(features);
      }),
    );
  });

  it('always fit in one byte', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (declared) => {
        expect(parseClientFeatures(declared)).toBeLessThan(256);
      }),
    );
  });
});
