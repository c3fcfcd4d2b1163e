import { join } from 'node:path';
import { pnpmCommand } from '../bootstrap/pnpm.mjs';
import { build } from '../bootstrap/prepare.mjs';
import { runTests } from '../bootstrap/run-tests.mjs';
import { ONE_PER_PROCESSOR } from '../bootstrap/tasks.mjs';
import { lintPublished } from './published-packages.mjs';
import { runTool } from './run-tool.mjs';

const PRETTIER_CACHE = ['--cache', '--cache-location', 'node_modules/.cache/gateway/prettier.json'];
const ROOT_FILES = ['eslint.config.js', 'vitest.config.ts', '.dependency-cruiser.mjs'];

/** Runs tools one after another; the first failure is the result. */
const inTurn = async (...tools) => {
  for (const tool of tools) {
    const result = await tool();
    if (result.code !== 0) return result;
  }
  return { code: 0, output: '' };
};

const exitCode = async (run) => ({ code: await run, output: '' });

/**
 * Returns the steps of `pnpm check`, in order: the cheap ones first. `run` resolves to an exit code and the output to show when it
 * is not 0; `slow` steps are left out by `--fast`, and `fastOnly` steps without it.
 */
export const steps = (root) => {
  const installed = (path) => join(root, 'node_modules', path);
  const own = (path) => join(root, 'packages/repo-checks', path);
  const tool = (script, ...args) => runTool(script, args, root);
  const turbo = (task) => {
    const { script, args } = pnpmCommand(root, [
      'exec',
      'turbo',
      'run',
      task,
      '--output-logs=errors-only',
      '--continue',
      ONE_PER_PROCESSOR,
    ]);
    return runTool(script, args, root);
  };
  return [
    {
      name: 'format',
      run: () =>
        tool(
          installed('prettier/bin/prettier.cjs'),
          '--check',
          '--log-level',
          'warn',
          ...PRETTIER_CACHE,
          '.',
        ),
    },
    { name: 'generated files', fastOnly: true, run: () => tool(own('bin/gen.mjs'), '--check') },
    {
      name: 'layers',
      fastOnly: true,
      run: () =>
        tool(
          own('node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
          ...[
            'packages',
            'apps',
            '--config',
            '.dependency-cruiser.mjs',
            '--output-type',
            'err-long',
          ],
        ),
    },
    {
      name: 'dead code',
      run: () =>
        tool(installed('knip/bin/knip.js'), '--config', '.knip.jsonc', '--no-config-hints'),
    },
    {
      name: 'types',
      run: () =>
        inTurn(
          () => tool(installed('typescript/bin/tsc'), '-p', '.'),
          () => turbo('typecheck'),
        ),
    },
    {
      name: 'lint',
      run: () =>
        inTurn(
          () => tool(installed('eslint/bin/eslint.js'), ...ROOT_FILES),
          () => turbo('lint'),
        ),
    },
    { name: 'build', run: () => exitCode(build(root, 'all')) },
    { name: 'published packages', run: () => lintPublished(root) },
    { name: 'tests', slow: true, run: () => exitCode(runTests(root, [])) },
    { name: 'long tests', slow: true, run: () => exitCode(runTests(root, [], { long: true })) },
  ];
};
