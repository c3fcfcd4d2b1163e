import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/run-until-stopped.ts'));
});

it('drains the server of the example after a stop signal', async () => {
  const loader = resolve(import.meta.dirname, '../../repo-checks/bin/load-typescript.mjs');
  const program = resolve(import.meta.dirname, 'fixtures/run-example.ts');
  const child = spawn(process.execPath, ['--import', loader, program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (text.includes('waiting\n')) child.kill('SIGTERM');
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(output).toBe('waiting\ndrains for 8000 ms\n');
});
