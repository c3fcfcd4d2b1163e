import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseBearerChallenge,
  hasScopes,
  uniteScopes,
} from '../../src/challenge/bearer-challenge.ts';

describe('a WWW-Authenticate header', () => {
  it.each([
    ['Bearer', {}],
    ['bearer realm="tools"', { realm: 'tools' }],
    [
      'Bearer resource_metadata="https://a.example/m", scope="a b"',
      { resourceMetadata: 'https://a.example/m', scope: 'a b' },
    ],
    ['Bearer error=insufficient_scope,scope=a', { error: 'insufficient_scope', scope: 'a' }],
    ['Basic realm="x, Bearer", Bearer scope="a"', { scope: 'a' }],
    ['Negotiate abc==, Bearer scope="a"', { scope: 'a' }],
    ['Bearer scope="a", Basic realm="x"', { scope: 'a' }],
    ['BEARER Resource_Metadata=https://a.example/m', { resourceMetadata: 'https://a.example/m' }],
    [
      'Bearer realm="a", DPoP algs="ES256", Bearer realm="b", resource_metadata="https://a.example/m"',
      { realm: 'a', resourceMetadata: 'https://a.example/m' },
    ],
    ['Bearer scope="first", scope="second"', { scope: 'first' }],
    [String.raw`Bearer realm="a \"b\""`, { realm: 'a "b"' }],
    ['Bearer scope="never ends', {}],
  ])('has the Bearer challenge: %s', (header, challenge) => {
    expect(parseBearerChallenge(header)).toEqual(challenge);
  });

  it.each([
    [null],
    [undefined],
    [''],
    ['Basic realm="x"'],
    ['"Bearer"'],
    [`Bearer ${'a'.repeat(9_000)}`],
  ])('has no Bearer challenge: %s', (header) => {
    expect(parseBearerChallenge(header)).toBeUndefined();
  });

  it('is read without an exception and in linear time, whatever it contains', () => {
    const piece = fc.oneof(
      fc.constantFrom('Bearer', 'Basic', ' ', ',', '=', '"', '\\', 'scope', 'realm', '\t'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const challenge = parseBearerChallenge(pieces.join(''));
        expect(challenge === undefined || typeof challenge === 'object').toBe(true);
      }),
    );
  });

  it('returns the parameters that were written', () => {
    const value = fc.string({
      unit: fc.constantFrom('a', 'B', ' ', '/', ':', ',', '=', '"', '\\'),
    });
    const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
    fc.assert(
      fc.property(value, value, (scope, realm) => {
        const header = `Basic realm="x", Bearer realm=${quoted(realm)}, scope=${quoted(scope)}`;
        expect(parseBearerChallenge(header)).toEqual({ scope, realm });
      }),
    );
  });
});

describe('scopes', () => {
  it('are united in order, without repetition and without invalid ones', () => {
    expect(uniteScopes('a b', undefined, 'b  c "x" ü')).toBe('a b c');
  });

  it('contain others', () => {
    expect(hasScopes('a b', 'b')).toBe(true);
    expect(hasScopes('a b', undefined)).toBe(true);
    expect(hasScopes('a b', 'b c')).toBe(false);
  });
});
