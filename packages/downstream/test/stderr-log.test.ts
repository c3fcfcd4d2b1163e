import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { drainStderr, ExitReason } from '../src/wire/stdio/stderr-log.ts';
import { InputBudget } from '../src/wire/input-budget.ts';

const whyOf = (text: string): string | undefined => {
  const words = new ExitReason();
  for (const line of text.split('\n')) words.addLine(line, line.trim());
  return words.text;
};

describe('the exit reason of a program', () => {
  it('is its last line', () => {
    expect(whyOf('starting\nno disk\n')).toBe('no disk');
    expect(whyOf('Traceback:\n  File "x"\nImportError: no module named y')).toBe(
      'ImportError: no module named y',
    );
    expect(whyOf('')).toBeUndefined();
  });

  it('is the first line of the error that ended a program of Node', () => {
    const text = `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/nope.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
`;
    expect(whyOf(text)).toBe("Error: Cannot find module '/nope.js'");
    expect(whyOf(text.replace('Error: Cannot', 'TypeError [ERR_X]: Cannot'))).toBe(
      "TypeError [ERR_X]: Cannot find module '/nope.js'",
    );
  });

  it('is what such a program threw when that is no error', () => {
    const text =
      '/x.js:1\nthrow "no disk"\n^\nno disk\n(Use `node --trace-uncaught ...` to show where)\n\nNode.js v22.1.0';
    expect(whyOf(text)).toBe('no disk');
  });

  it('is not an error that the program survived', () => {
    expect(whyOf('Error: not yet\n    at x\nretrying\ngave up')).toBe('gave up');
    expect(whyOf('Error: a\n    at x\n\nNode.js v20.20.2\nstarted again')).toBe('started again');
  });

  it('is not where npm keeps its log', () => {
    const text =
      'npm error code E404\nnpm error 404 Not Found: nope\nnpm error A complete log of this run can be found in: /root/x.log';
    expect(whyOf(text)).toBe('npm error 404 Not Found: nope');
  });
});

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
  expect(lines.join('\n')).toBe(
    'Traceback:\n  File "a.py", line 3\n    key [redacted]\n  cannot read',
  );
  expect(exitReason()).toBe('cannot read');
});
