import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRedirectUrl, redirectWithServer } from '../../src/sign-in/routes.ts';

const ALLOWED = ['https://portal.example/app', 'http://localhost:3000/'];

describe('a redirect', () => {
  it.each([
    'https://portal.example/app',
    'https://portal.example/app/',
    'https://portal.example/app/done?x=1',
    'http://localhost:3000/',
    'http://localhost:3000/anything',
  ])('is allowed: %s', (url) => {
    expect(parseRedirectUrl(url, ALLOWED)).toBe(url);
  });

  it.each([
    'https://portal.example/application',
    'https://portal.example/',
    'https://portal.example/app/../admin',
    'https://portal.example/app/%2e%2e/admin',
    'https://portal.example/app/%2E%2e/admin',
    'https://portal.example/app/.%2e/admin',
    'https://portal.example/app/..%2fadmin',
    'https://portal.example/app\\..\\admin',
    'https://portal.example/app#x',
    'https://user@portal.example/app',
    'https://portal.example@attacker.example/app',
    'https://portal.example.attacker.example/app',
    'https://attacker.example/app',
    'http://portal.example/app',
    'https://portal.example:8443/app',
    '//portal.example/app',
    '/app',
    'data:text/html,x',
    'https://portal.example/app\n/x',
    ' https://portal.example/app',
    '',
    `https://portal.example/app/${'a'.repeat(3_000)}`,
  ])('is not allowed: %s', (url) => {
    expect(parseRedirectUrl(url, ALLOWED)).toBeUndefined();
  });

  it('is not allowed without a list', () => {
    expect(parseRedirectUrl('https://portal.example/app', [])).toBeUndefined();
    expect(parseRedirectUrl(undefined, ALLOWED)).toBeUndefined();
  });

  it('leads to an allowed origin and path, whatever the text is', () => {
    const words = ['https:', 'portal.example', 'evil.example', 'app', '%2e', '//', '..'];
    const piece = fc.constantFrom(...words, '/', '@', '\\', '?', '#', ':', '\t', '.');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const redirect = parseRedirectUrl(pieces.join(''), ['https://portal.example/app']);
        if (redirect === undefined) return;
        const { origin, pathname } = new URL(redirect);
        expect(origin).toBe('https://portal.example');
        expect(pathname === '/app' || pathname.startsWith('/app/')).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('names the server', () => {
    expect(redirectWithServer('https://portal.example/app?x=1', 'a&b')).toBe(
      'https://portal.example/app?x=1&server=a%26b',
    );
  });
});
