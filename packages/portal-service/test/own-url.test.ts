import { expect, it } from 'vitest';
import { resolvePortalUrl } from '../src/user/sign-in-routes.ts';

const PORTAL = new URL('https://portal.example.com/tools/');
const longest = (chars: number): string => `agents?q=${'a'.repeat(chars)}`;

it.each([
  ['agents/team/one?tab=try#top', 'https://portal.example.com/tools/agents/team/one?tab=try#top'],
  ['/tools/servers', 'https://portal.example.com/tools/servers'],
  ['authors', 'https://portal.example.com/tools/authors'],
])('returns the address of a page of the portal: %s', (path, expected) => {
  expect(resolvePortalUrl(PORTAL, path).href).toBe(expected);
});

it.each([
  ['of another site', 'https://evil.example.com/tools/'],
  ['of another site without a scheme', '//evil.example.com/tools/'],
  ['of another application of the site', '/mail/'],
  ['with its own document', 'data:text/html,x'],
  ['of the sign-in, which would begin again', 'auth/start?return=auth/start'],
  ['that is too long', longest(8_192)],
  ['that is too long when its characters are escaped', `agents?q=${' a'.repeat(2_500)}`],
])('returns the first page for an address %s', (_what, path) => {
  expect(resolvePortalUrl(PORTAL, path).href).toBe('https://portal.example.com/tools/');
});

it('has room for the longest toolset', () => {
  expect(resolvePortalUrl(PORTAL, longest(8_000)).search).toHaveLength(8_003);
});
