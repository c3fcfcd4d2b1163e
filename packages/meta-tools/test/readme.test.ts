import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scopedAnswer } from '../examples/scoped-answer.ts';
import { harnessOf } from './harness.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const readme = read('README.md');

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  expect(shown).toBe(read('examples/scoped-answer.ts'));
});

it('answers as in the example', async () => {
  const { ports } = harnessOf();
  expect(await scopedAnswer(ports, 'server:files')).toContain('x_files_read_file');
  expect(await scopedAnswer(ports, 'server:wiki')).not.toContain('x_files_read_file');
});
