import { expect, it } from 'vitest';
import { validateIconUrl } from '../../src/arguments/reference-problem.ts';

const SCRIPT = 'javascript';

it.each([
  undefined,
  '',
  'https://icons.example/a.png',
  'https://icons.example:8443/a?size=64#x',
  'https://[2001:db8::1]/a',
  'data:image/png;base64,iVBORw0KGgo=',
  'data:image/webp;base64,UklGRg==',
])('an icon is at %j', (url) => expect(validateIconUrl(url)).toBeUndefined());

it.each([
  `${SCRIPT}:alert(1)`,
  ` ${SCRIPT}:alert(1)`,
  'java\nscript:alert(1)',
  `${SCRIPT.toUpperCase()}:alert(1)`,
  'http://icons.example/a.png',
  '//icons.example/a.png',
  '/a.png',
  'file:///etc/passwd',
  'blob:https://icons.example/0',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg onload="alert(1)"/>',
  'data:image/svg+xml;base64,PHN2Zy8+',
  'data:image/png,<script>',
  'https://user:password@icons.example/a.png',
  'https://icons.example/"onerror="alert(1)',
  'https://icons.example/a b',
  'https://user:password@icons.example/,AAAA',
  'https://icons.example/\u202e',
  'https://ic\u043ens.example/a',
])('an icon is not at %j, which is not repeated', (url) =>
  expect(validateIconUrl(url)).toBe(
    'iconUrl must be an https:// URL without user and password, or a data: URL of a PNG, JPEG, GIF or WebP image in base64',
  ),
);

it.each([
  [`https://icons.example/${'a'.repeat(2_048)}`, 2_048],
  [`data:image/png;base64,${'a'.repeat(65_536)}`, 65_536],
])('an icon has a bounded address', (url, max) =>
  expect(validateIconUrl(url)).toBe(`iconUrl is longer than ${String(max)} characters`),
);
