import { describe, expect, it } from 'vitest';
import { resourceTemplatesOfUri } from '../src/index.ts';
import { uriTemplateMatcher } from '../src/uri-template.ts';
import { catalogOf, server } from './inventories.ts';

/** Template -> URIs that it expands to, and those it does not. */
const TABLE: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['a://b', ['a://b'], ['a://bc', 'a://', '']],
  ['a://{id}', ['a://1', 'a://x%20y', 'a://ü b'], ['a://', 'a://1/2', 'a://1?q', 'b://1']],
  ['a://{x}/{y}.txt', ['a://1/2.txt', 'a://1/a.txt.txt'], ['a://1/.txt', 'a://1/2/3.txt']],
  ['a://{x}{y}', ['a://12'], ['a://', 'a://1']],
  ['a://{x,y}', ['a://1,2', 'a://1'], ['a://1/2']],
  ['{+all}', ['a', 'a/b?c#d'], ['']],
  ['f:{+path}/end', ['f:a/end', 'f:a/end/end'], ['f:end', 'f:a/end/']],
  ['a://b{#part}', ['a://b', 'a://b#x/y'], ['a://bx']],
  ['a://b{/x,y}', ['a://b', 'a://b/1/2'], ['a://b1', 'a://b/1?q']],
  ['a://b{?q,r}', ['a://b', 'a://b?q=1&r=2'], ['a://b&q=1', 'a://b?q#f']],
  ['a://b?x=1{&q}', ['a://b?x=1', 'a://b?x=1&q=2'], ['a://b?x=12']],
  ['a://b{.ext}', ['a://b', 'a://b.txt'], ['a://b/txt']],
  ['a://{x', [], ['a://{x', 'a://1']],
  ['a://x}', [], ['a://x}', 'a://x']],
  ['a://{}', [], ['a://', 'a://1', 'a://{}']],
  ['a://{x}}', [], ['a://1}']],
];

describe.each(TABLE)('%s', (template, yes, no) => {
  const matches = uriTemplateMatcher(template);
  it('matches its expansions', () => expect(yes.filter((uri) => !matches(uri))).toEqual([]));
  it('matches nothing else', () => expect(no.filter((uri) => matches(uri))).toEqual([]));
});

describe('bounds', () => {
  it('leave long templates and URIs unmatched', () => {
    expect(uriTemplateMatcher('{+x}')('a'.repeat(16_384))).toBe(true);
    expect(uriTemplateMatcher('{+x}')('a'.repeat(16_385))).toBe(false);
    expect(uriTemplateMatcher('a'.repeat(2_048))('a'.repeat(2_048))).toBe(true);
    expect(uriTemplateMatcher('a'.repeat(2_049))('a'.repeat(2_049))).toBe(false);
    expect(uriTemplateMatcher('{a}'.repeat(32))('a'.repeat(32))).toBe(true);
    expect(uriTemplateMatcher('{a}'.repeat(33))('a'.repeat(33))).toBe(false);
  });

  it('hold for templates made to be slow', () => {
    const matches = uriTemplateMatcher(`${'{+a}aaaa'.repeat(16)}b`.slice(0, 2_048));
    expect(matches('a'.repeat(16_384))).toBe(false);
  });
});

it('finds the servers whose templates a URI expands', () => {
  const resourceTemplates = [{ uriTemplate: 'a://{id}' }, { uriTemplate: 'b://{id}' }];
  const snapshot = catalogOf(
    server('y', [], { resourceTemplates }),
    server('x', [], { resourceTemplates }),
  );
  expect(resourceTemplatesOfUri(snapshot.resourceTemplates, 'b://1')).toEqual([
    { uriTemplate: 'b://{id}', server: 'x' },
    { uriTemplate: 'b://{id}', server: 'y' },
  ]);
  expect(resourceTemplatesOfUri(snapshot.resourceTemplates, 'c://1')).toEqual([]);
});
