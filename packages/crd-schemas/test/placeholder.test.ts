import { describe, expect, it } from 'vitest';
import {
  findDestinationChange,
  parseMcpServer,
  findPlaceholderField,
  listPlaceholders,
  listPlaceholderWarnings,
  replacePlaceholders,
} from '@gateway/crd-schemas';
import { listBareNames } from '../src/mcp-server/mcp-server.ts';
import { toDocument } from './documents.ts';

const replaced = (text: string): string =>
  replacePlaceholders(text, ({ kind, name }) => `<${kind} ${name}>`);

describe('placeholders in a text', () => {
  it.each([
    ['a ${env:TOKEN} b ${file:secrets/a/b}', 'a <env TOKEN> b <file secrets/a/b>'],
    ['$${env:TOKEN}', '${env:TOKEN}'],
    ['$$${env:TOKEN}', '$${env:TOKEN}'],
    ['${TOKEN} $TOKEN ${env:} ${other:x} ${env:a', '${TOKEN} $TOKEN ${env:} ${other:x} ${env:a'],
    ['${env:${file:a}}', '${env:<file a>}'],
    ['$${TOKEN}', '${TOKEN}'],
  ])('%s', (text, expected) => {
    expect(replaced(text)).toBe(expected);
  });

  it('are not searched for in values', () => {
    expect(replacePlaceholders('${env:A}', () => '${env:B} $& $1')).toBe('${env:B} $& $1');
  });

  it('are found in a long hostile text', () => {
    expect(listPlaceholders('${env:'.repeat(200_000))).toEqual([]);
    expect(listPlaceholders('$'.repeat(1_000_000))).toEqual([]);
  });

  it('of other programs are bare names', () => {
    expect(listBareNames('${A} $${B} ${env:C} $D ${E-x} ${F_1}')).toEqual(['A', 'F_1']);
  });
});

const parse = (spec: unknown, hasPlaceholders = true) =>
  parseMcpServer(toDocument(spec), { hasPlaceholders });

it('texts that look like placeholders have a warning, without the part that may be a secret', () => {
  const args = ['${evn:s3cret}', '${env:A}', '$${evn:A}', '${A:-b}', '${file:a}', '${A}'];
  const parsed = parse({ type: 'stdio', command: 'x', args, env: { B: 'x-${File:b}' } });
  expect(parsed.ok && listPlaceholderWarnings(parsed.value.spec)).toEqual([
    'spec.env.B: ${File:…} is sent as it is written; write ${env:NAME} or ${file:PATH} for a value, or $${File:…} for this text',
    'spec.args[0]: ${evn:…} is sent as it is written; write ${env:NAME} or ${file:PATH} for a value, or $${evn:…} for this text',
    'spec.args[5]: ${A} is sent as it is written; write ${env:A} for the value of the variable, or $${A} for this text',
  ]);
});

const issuesOf = (url: string, hasPlaceholders: boolean) => {
  const parsed = parse({ type: 'streamable-http', url }, hasPlaceholders);
  if (!parsed.ok) return parsed.error.map(({ message }) => message);
  return parsed.value.spec.type === 'stdio' ? [] : parsed.value.spec.url;
};

describe('a URL with placeholders', () => {
  it.each([
    'https://${env:HOST}/mcp',
    '${env:BASE_URL}/mcp',
    '${file:url.txt}',
    'http://127.0.0.1:${env:PORT}/mcp',
    'https://a.example/mcp?key=${file:secrets/a/key}',
  ])('is valid in a file, as it is written: %s', (url) => {
    expect(issuesOf(url, true)).toBe(url);
  });

  it('is not valid elsewhere', () => {
    expect(issuesOf('https://${env:HOST}/mcp', false)).toEqual([
      'must be an http:// or https:// URL',
    ]);
  });

  it.each([
    'ftp://${env:HOST}',
    '${HOST}/mcp',
    '${env:A} b',
    `https://\${env:${'A'.repeat(3000)}}`,
  ])('can be invalid in a file too: %s', (url) => {
    expect(issuesOf(url, true)).toHaveLength(1);
  });
});

describe('a definition with placeholders', () => {
  it('names the field', () => {
    expect(findPlaceholderField({ env: { A: '1', B: '${env:X}' } })).toBe('env');
    expect(findPlaceholderField({ args: ['-x', '${file:y}'] })).toBe('args');
    expect(findPlaceholderField({ url: 'https://${env:X}' })).toBe('url');
    expect(findPlaceholderField({ env: { A: '$${env:X}' }, command: '${env:X}' })).toBeUndefined();
  });

  it('has a destination that its command decides', () => {
    const before = { command: 'a', env: { A: '${env:X}' } };
    expect(findDestinationChange(before, { ...before, command: 'b' })).toBe('command');
    expect(findDestinationChange(before, { ...before, description: 'b' })).toBeUndefined();
    expect(findDestinationChange({ command: 'a' }, { command: 'b' })).toBeUndefined();
  });
});
