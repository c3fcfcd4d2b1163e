import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { check } from '../examples/check-a-server.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const resource = { apiVersion: 'gateway.internal/v1alpha1', kind: 'MCPServer' };
const metadata = { name: 'files' };

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/check-a-server.ts'));
});

it('answers as the example says', () => {
  expect(check({ ...resource, metadata, spec: { type: 'stdio', command: 'serve-files' } })).toEqual(
    ['files: serve-files'],
  );
  expect(check({ ...resource, metadata, spec: { type: 'stdio', timeout: 0 } })).toEqual([
    'spec.timeout: must be at least 1',
    'spec.command: command is required when type is stdio',
  ]);
});
