import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { drainStderr } from '../src/wire/stdio/stderr-log.ts';
import { InputBudget } from '../src/wire/input-budget.ts';

it('keeps the indentation of lines in the log, and has none in the reason of the end', async () => {
  const stream = new PassThrough();
  const lines: string[] = [];
  const exitReason = drainStderr(stream, new InputBudget(), {
    server: 'files',
    log: (entry) => {
      if (entry.event === 'server.stderr') lines.push(entry.line);
    },
    secrets: ['s3cret-value'],
    now: () => 0,
  });
  stream.end('Traceback:\n  File "a.py", line 3\n\tkey s3cret-value\n  \n  cannot read\n');
  await once(stream, 'close');
  expect(lines).toEqual([
    'Traceback:',
    '  File "a.py", line 3',
    '    key [redacted]',
    '  cannot read',
  ]);
  expect(exitReason()).toBe('cannot read');
});
