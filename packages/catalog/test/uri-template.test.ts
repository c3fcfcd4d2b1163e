import { describe, expect, it } from 'vitest';
import { formatWarning } from '../src/index.ts';
import { indexTemplates } from '../src/uri-template.ts';
import { catalogOf, server } from './inventories.ts';

const matches = (uriTemplate: string, uri: string): boolean =>
  indexTemplates([{ uriTemplate, server: 'x' }])(uri).length === 1;

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
  ['a://b{;x,y}', ['a://b', 'a://b;x=1;y'], ['a://b/1', 'a://bx']],
  ['a://{x:3}', ['a://abc'], ['a://', 'a://a/b']],
  ['a://{+x:3}/y', ['a://a/b/y'], ['a:///y']],
  ['a://b{/x*}', ['a://b', 'a://b/1/2/3'], ['a://b1']],
  ['a://b{?q*}', ['a://b', 'a://b?x=1&y=2'], ['a://b/1']],
  ['file:///{path*}', ['file:///a', 'file:///a/b/c.txt'], ['file:///', 'file:///a?b']],
  ['a://{path*}/end', ['a://1/end', 'a://1/2/end'], ['a://end', 'a://1/2']],
  [
    'file:///docs/café/{name}',
    ['file:///docs/café/x', 'file:///docs/caf%C3%A9/x', 'FILE:///docs/caf%c3%a9/x'],
    ['file:///docs/cafe/x', 'file:///docs/caf%E9/x', 'file:///Docs/café/x'],
  ],
  [
    'file:///my docs/{name}.md',
    ['file:///my docs/a.md', 'file:///my%20docs/a.md', 'file:///m%79%20docs/ü b.md'],
    ['file:///my+docs/a.md', 'file:///mydocs/a.md', 'file:///my%2520docs/a.md'],
  ],
  ['file:///a%20b/{x}', ['file:///a b/1', 'file:///a%20b/1'], ['file:///a%2Fb/1']],
  ['a://b/100%/{x}', ['a://b/100%/1', 'a://b/100%25/1'], ['a://b/100/1']],
  ['a://b?f[x]={x}', ['a://b?f[x]=1', 'a://b?f%5Bx%5D=1'], ['a://b?fx=1']],
  ['a://b/%2F/{x}', ['a://b/%2f/1'], ['a://b/\u002f/1']],
  ['db://Host/Table/{x}', ['db://host/Table/1', 'DB://HOST/Table/1'], ['db://host/table/1']],
  [
    'docs://Ünï/{x}',
    ['docs://Ünï/1', 'docs://%C3%9Cn%C3%AF/1', 'DOCS://%c3%9cN%c3%af/1'],
    ['docs://ünï/1', 'docs://%C3%BCn%C3%AF/1'],
  ],
  ['db://{x}Db/{y}', ['db://1Db/2', 'db://1DB/2'], ['db://Db/2']],
  ['a://Me@Host/{x}', ['a://Me@host/1'], ['a://me@host/1']],
  ['日本://{x}', ['日本://1', '%E6%97%A5%E6%9C%AC://1'], ['日://1']],
  ['a://\ud800/{x}', ['a://\ud800/1'], ['a://b/1']],
  ['a://b/{x}', ['a://b/{x}', 'a://b/%7Bx%7D'], ['a://b/{x}/']],
  ['a://{x', [], ['a://{x', 'a://1']],
  ['a://x}', [], ['a://x}', 'a://x']],
  ['a://{}', [], ['a://', 'a://1', 'a://{}']],
  ['a://{x}}', [], ['a://1}']],
];

describe.each(TABLE)('%s', (template, yes, no) => {
  it('matches its expansions', () =>
    expect(yes.filter((uri) => !matches(template, uri))).toEqual([]));
  it('matches nothing else', () => expect(no.filter((uri) => matches(template, uri))).toEqual([]));
});

it('does not match URIs of more than 8,192 characters in normalised form', () => {
  expect(matches('{+x}', 'a'.repeat(8_192))).toBe(true);
  expect(matches('{+x}', 'a'.repeat(8_193))).toBe(false);
  expect(matches('{+x}', 'é'.repeat(1_365))).toBe(true);
  expect(matches('{+x}', 'é'.repeat(1_366))).toBe(false);
});

const warningsOf = (templates: readonly string[]): readonly (string | number)[] => {
  const resourceTemplates = templates.map((uriTemplate) => ({ uriTemplate }));
  const snapshot = catalogOf(server('x', [], { resourceTemplates }));
  return [snapshot.resourceTemplates.length, ...snapshot.warnings.map(formatWarning)];
};

describe('templates that no URI can match are not listed, and the warning has the reason', () => {
  it.each([
    ['a://{x', 'a://{x', 'it has a brace without a partner'],
    ['a://x}', 'a://x}', 'it has a brace without a partner'],
    ['a://{x}}', 'a://{x}}', 'it has a brace without a partner'],
    ['a://{}', 'a://{}', 'it has an expression without a variable'],
    ['a://{{x}}', 'a://{{x}}', 'it has a brace without a partner'],
    ['a'.repeat(2_049), `${'a'.repeat(128)}...`, 'it has more than 2048 characters'],
    ['{a}'.repeat(33), '{a}'.repeat(33), 'it has more than 32 literals and expressions'],
  ])('%s', (template, shown, problem) =>
    expect(warningsOf([template, 'a://{id}'])).toEqual([
      1,
      `resource template "${shown}" of server "x" is not listed: ${problem}`,
    ]),
  );

  it('serves templates within the limits', () =>
    expect(
      warningsOf(['a'.repeat(2_048), '{a}'.repeat(32), '{+a}{#b}{.c}{/d}{;e}{?f}{&g*}']),
    ).toEqual([3]));

  it('bounds the parts of the templates of a server', () =>
    expect(warningsOf(Array.from({ length: 129 }, (_, n) => `{a}{${n}}`.repeat(16)))).toEqual([
      128,
      `resource template "${'{a}{128}'.repeat(16)}" of server "x" is not listed: the templates of the server have more than 4096 literals and expressions`,
    ]));

  it('counts many in the last warning', () =>
    expect(warningsOf(Array.from({ length: 23 }, () => '{')).at(-1)).toBe(
      'resource template "{" of server "x" is not listed: it has a brace without a partner (and 3 more templates)',
    ));
});

it('matches templates made to be slow', () => {
  const template = `${'{+a}aaaa'.repeat(15)}{+a}b`;
  expect(matches(template, `${'a'.repeat(8_190)}bc`)).toBe(false);
  expect(matches(template, `${'a'.repeat(8_190)}b`)).toBe(true);
});

it('finds resources by an equivalent URI, the exact text first', () => {
  const resources = [{ uri: 'a://caf%C3%A9' }, { uri: 'a://café' }, { uri: 'a://cafe' }];
  const snapshot = catalogOf(server('x', [], { resources }));
  const urisOf = (uri: string) => snapshot.resourcesOfUri(uri).map(({ uri: found }) => found);
  expect(urisOf('a://café')).toEqual(['a://café', 'a://caf%C3%A9']);
  expect(urisOf('a://caf%c3%a9')).toEqual(['a://caf%C3%A9', 'a://café']);
  expect(urisOf('a://cafe')).toEqual(['a://cafe']);
  expect(urisOf('a://caff')).toEqual([]);
});

it('finds the servers whose templates a URI expands', () => {
  const resourceTemplates = [{ uriTemplate: 'a://{id}' }, { uriTemplate: 'b://{id}' }];
  const snapshot = catalogOf(
    server('y', [], { resourceTemplates }),
    server('x', [], { resourceTemplates }),
  );
  expect(snapshot.resourceTemplatesOfUri('b://1')).toEqual([
    { uriTemplate: 'b://{id}', server: 'x' },
    { uriTemplate: 'b://{id}', server: 'y' },
  ]);
  expect(snapshot.resourceTemplatesOfUri('b://1', new Set(['y']))).toEqual([
    { uriTemplate: 'b://{id}', server: 'y' },
  ]);
  expect(snapshot.resourceTemplatesOfUri('c://1')).toEqual([]);
});
