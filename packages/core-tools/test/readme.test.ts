import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { whatRuns } from '../examples/what-runs.ts';
import { portsOver } from './ports.ts';
import { wiki } from './servers.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/what-runs.ts'));
});

it('answers what runs', async () => {
  expect(await whatRuns(portsOver([wiki]), 'wiki')).toContain('auth_required');
  expect(await whatRuns(portsOver([wiki]), 'files')).toBe(
    '[{"type":"text","text":"Failed to get service status: service files not found"}]',
  );
});
