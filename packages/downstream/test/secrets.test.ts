import { expect, it } from 'vitest';
import { formatSafeLine } from '../src/wire/reason.ts';
import { listSecrets } from '../src/wire/referenced-values.ts';
import { defineServer } from './harness/servers.ts';

const VALUE = '{\r\n  "user": "plain-user-17",\r\n  "word": "plain-word-42"\n}\n';

it('are the values of a definition and each line of them', () => {
  const server = defineServer('crm', { type: 'stdio', command: 'crm', env: { KEY: VALUE } });
  const secrets = listSecrets(server);
  expect(secrets).toEqual([VALUE, '"user": "plain-user-17",', '"word": "plain-word-42"']);
  expect(formatSafeLine(`got ${VALUE.split('\r\n')[2] ?? ''}`, secrets)).toBe('got [redacted] }');
});

it('are the lines of values that were read', () => {
  const server = defineServer('crm', { type: 'stdio', command: 'crm' });
  const referenced = { values: { A: 'first-line\nsecond-line' }, parts: ['third-line\nshort'] };
  const secrets = listSecrets({ ...server, referenced });
  for (const line of ['first-line', 'second-line', 'third-line'])
    expect(formatSafeLine(`key ${line}`, secrets)).toBe('key [redacted]');
});
