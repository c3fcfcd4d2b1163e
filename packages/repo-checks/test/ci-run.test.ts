import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withToyTree } from './toy-tree.ts';

const SCRIPT = readFileSync(resolve(import.meta.dirname, '../../../.ci/run'), 'utf8');

/** Runs `.ci/run` with an npm that prints the given output and exits with the given code for each script. */
const runWith = (
  scripts: Readonly<Record<'test' | 'test:long', readonly [output: string, code: number]>>,
): Promise<{ code: number; stdout: string }> => {
  const cases = Object.entries(scripts).map(
    ([name, [output, code]]) => `  ${name}) printf '${output}'; exit ${String(code)} ;;\n`,
  );
  const npm = `#!/bin/sh\n# npm run --silent <script> --\ncase "$3" in\n${cases.join('')}esac\n`;
  return withToyTree({ '.ci/run': SCRIPT, 'bin/npm': npm }, async (root) => {
    await chmod(join(root, 'bin/npm'), 0o755);
    const PATH = [join(root, 'bin'), dirname(process.execPath), process.env['PATH']].join(
      delimiter,
    );
    return new Promise((done) => {
      execFile(
        'bash',
        [join(root, '.ci/run')],
        { env: { ...process.env, PATH } },
        (error, stdout) => done({ code: typeof error?.code === 'number' ? error.code : 0, stdout }),
      );
    });
  });
};

describe('the command of the build machine', () => {
  it('runs both kinds of tests, repeats their failures, and ends with one line of the sums', async () => {
    expect(
      await runWith({
        test: ['Failed: a.test.ts: x\\nmore\\n9 passed, 1 failed\\n', 1],
        'test:long': ['Not run: b.test.ts: y\\n5 passed, 1 failed\\n', 0],
      }),
    ).toEqual({
      code: 1,
      stdout:
        'Failed: a.test.ts: x\nmore\nNot run: b.test.ts: y\nFailed: a.test.ts: x\nNot run: b.test.ts: y\n14 passed, 2 failed\n',
    });
  });

  it('counts a run without a closing line as a failure', async () => {
    expect(
      await runWith({ test: ['10 passed, 0 failed\\n', 0], 'test:long': ['killed\\n', 137] }),
    ).toEqual({ code: 137, stdout: 'killed\n10 passed, 1 failed\n' });
  });
});
