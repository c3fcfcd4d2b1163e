import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { benchNodes } from './application-node.mjs';
import { runPnpm, toolEnvironment } from './pnpm.mjs';
import { runChild } from './run-child.mjs';
import { runTests } from './run-tests.mjs';

const runScript = (root, script, args, env = {}) =>
  runChild({
    command: process.execPath,
    args: [...script, ...args],
    cwd: root,
    env: { ...toolEnvironment(), ...env },
  });

const own = (root, path) => join(root, 'packages/repo-checks', path);

/** Runs a program in this repository's TypeScript. */
const runTypeScript = (root, path, args) => {
  const loader = pathToFileURL(own(root, 'bin/load-typescript.mjs')).href;
  return runScript(root, ['--import', loader, join(root, path)], args);
};

const turbo = (task, ...options) => ({
  run: (root, args) => runPnpm(root, ['exec', 'turbo', 'run', task, ...options, ...args]),
});

/** Each task loads the types of a package: as many at a time as turbo starts otherwise, ten, can take all memory. */
export const ONE_PER_PROCESSOR = '--concurrency=100%';

/** The characters that the shell expands within double quotes, and quotes. */
const SPECIAL = /["'$`!\\]/u;

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Returns the line that makes `gateway` a command of a POSIX shell. The shell reads the value of an alias twice: in the line, and when
 * the command is used.
 * @param {string} node the Node that runs it: that of the user can be too old
 * @param {string} program the path of the built command line
 */
export const aliasLine = (node, program) => {
  const command = `${quoted(node)} ${quoted(program)}`;
  return `alias gateway=${SPECIAL.test(node + program) ? quoted(command) : `"${command}"`}`;
};

/** Prints how the built command line becomes a command of the shell. */
const printAlias = (root) => {
  const program = join(root, 'apps/gateway/dist/cli.js');
  process.stdout.write(
    `The gateway is built. This line makes gateway a command of this shell, in every folder:\n\n  ${aliasLine(process.execPath, program)}\n`,
  );
  return 0;
};

const turboBench = turbo('bench', '--concurrency=1');
const PACKAGES = '--packages';

/** Measures the gateway on this Node and on the oldest one, unless `--node` names others; with `--packages` runs the benchmarks of all. */
const bench = (root, args) => {
  if (args.includes(PACKAGES))
    return turboBench.run(
      root,
      args.filter((arg) => arg !== PACKAGES),
    );
  const env = { GATEWAY_BENCH_NODES: benchNodes(root).join(delimiter) };
  return runScript(root, [join(root, 'apps/gateway/bench/performance.mjs')], args, env);
};

/** Answers the help and refused options of the benchmark: they need no build. */
const answerBench = async (root, args) => {
  if (args.includes(PACKAGES) && !args.includes('--help')) return undefined;
  const file = pathToFileURL(join(root, 'apps/gateway/bench/performance/options.mjs')).href;
  const { earlyAnswer } = await import(file);
  return earlyAnswer(args.filter((arg) => arg !== PACKAGES));
};

/**
 * The root commands by name. `answer`: returns the exit code and the text of a command
 * that needs nothing prepared, or undefined. `builds`: what the command needs built. `isTest`: the closing line is part of its output.
 * `endsWithParent`: the command ends when npm is killed.
 */
export const tasks = {
  bench: { answer: answerBench, builds: 'programs', run: bench },
  build: turbo('build'),
  chaos: {
    builds: 'programs',
    run: (root, args) => runTypeScript(root, 'apps/gateway/chaos/chaos.mjs', args),
  },
  check: {
    run: (root, args) => runScript(root, [own(root, 'bin/check.mjs')], args),
  },
  compat: {
    builds: 'programs',
    run: (root, args) => runTypeScript(root, 'packages/interop/src/compat/cli.ts', args),
  },
  conformance: {
    builds: 'all',
    run: (root, args) => runTypeScript(root, 'packages/interop/src/conformance/cli.ts', args),
  },
  gen: {
    run: (root, args) => runScript(root, [own(root, 'bin/gen.mjs')], args),
  },
  lint: turbo('lint', ONE_PER_PROCESSOR),
  prepare: { builds: 'all', run: () => 0 },
  setup: { builds: 'gateway', run: printAlias },
  soak: {
    builds: 'programs',
    run: (root, args) => runScript(root, [join(root, 'apps/gateway/soak/soak.mjs')], args),
  },
  start: {
    builds: 'programs',
    endsWithParent: true,
    run: (root, args) => {
      const folder = args.includes('--sign-in') ? 'example/sign-in' : 'example';
      return runScript(root, [join(root, 'apps/gateway', folder, 'start.mjs')], args);
    },
  },
  test: { builds: 'programs', isTest: true, run: (root, args) => runTests(root, args) },
  'test:long': {
    builds: 'all',
    isTest: true,
    run: (root, args) => runTests(root, args, { long: true }),
  },
  typecheck: turbo('typecheck', ONE_PER_PROCESSOR),
};
