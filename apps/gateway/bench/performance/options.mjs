import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { nodeFacts } from './facts.mjs';
import { GROUPS } from './rows.mjs';
import { CLI } from './subjects.mjs';

const names = Object.keys(GROUPS);

export const HELP = `Measures the gateway against bare node:http in the same minutes.

Usage: npm run bench -- [options]

  --rows <names>          only these rows, separated by commas:
${names.map((name) => `                            ${name.padEnd(9)} ${GROUPS[name]}`).join('\n')}
  --peers                 measures proxies that npm downloads too
  --rounds <number>       rounds of every row except rest (5)
  --ms <number>           milliseconds of one stretch of calls (1000)
  --rest-seconds <number> seconds of one stretch at rest (30)
  --node <path>           runs the programs on this Node; repeatable (the oldest supported release
                          and the one of the applications, both as npm installs them here)
  --gateway <file>        the built cli.js to measure (that of this checkout)
  --json <file>           writes the figures to this file, and no page
  --dirty                 writes the page although tracked files differ from the commit
  --packages              runs the benchmarks of every package instead
  --help                  prints this text

A run of all rows with --peers took 9 minutes on two cores; without, less. It prints the figures, and without --json it
writes docs/reference/performance.md, which names the commit: the commit is on the main branch, and no tracked file
differs from it. Other runs print the figures only.
`;

const MAX_ROUNDS = 100;
const MAX_MS = 20_000;
const MAX_SECONDS = 600;
const REST_ROUNDS = 3;
const SETTLE_SECONDS = 15;

const DEFINITIONS = {
  rows: { type: 'string' },
  peers: { type: 'boolean', default: false },
  rounds: { type: 'string', default: '5' },
  ms: { type: 'string', default: '1000' },
  'rest-seconds': { type: 'string', default: '30' },
  node: { type: 'string', multiple: true, default: [] },
  gateway: { type: 'string', default: CLI },
  json: { type: 'string' },
  dirty: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

const countOf = (values, name, max) => {
  const count = Number(values[name]);
  if (Number.isInteger(count) && count >= 1 && count <= max) return count;
  throw new Error(`--${name} must be a whole number from 1 to ${max}, not ${values[name]}`);
};

const groupsOf = ({ rows }) => {
  const wanted = rows?.split(',') ?? names;
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown === undefined) return names.filter((name) => wanted.includes(name));
  throw new Error(`--rows does not know ${JSON.stringify(unknown)}: it knows ${names.join(', ')}`);
};

/** Processes come to rest before the first stretch; a short run waits no longer than a stretch. */
const timesOf = (values) => {
  const seconds = countOf(values, 'rest-seconds', MAX_SECONDS);
  const rounds = countOf(values, 'rounds', MAX_ROUNDS);
  return {
    rounds,
    ms: countOf(values, 'ms', MAX_MS),
    rest: {
      rounds: Math.min(rounds, REST_ROUNDS),
      settleMs: Math.min(SETTLE_SECONDS, seconds) * 1000,
      restMs: seconds * 1000,
    },
  };
};

/** Set by `npm run bench`, which has built the programs: the paths of the Nodes to measure. */
export const BENCH_NODES = 'GATEWAY_BENCH_NODES';

const nodesOf = ({ node }, env) => {
  if (node.length > 0) return node;
  return env[BENCH_NODES]?.split(delimiter) ?? [process.execPath];
};

/** What stands for the path of a machine in a recorded command. */
const PATHS = { node: '<path>', gateway: '<file>', json: '<file>' };

/** Returns the command as another user repeats it: every option as given, and a placeholder for each path of this machine. */
export const commandOf = (args) => {
  const { tokens } = parseArgs({ args, options: DEFINITIONS, tokens: true });
  const words = tokens.flatMap(({ name, rawName, value }) => [
    rawName,
    ...(value === undefined ? [] : [PATHS[name] ?? value]),
  ]);
  return ['npm run bench', ...(words.length > 0 ? ['--', ...words] : [])].join(' ');
};

/**
 * Returns the options of a run, or `help`.
 *
 * @throws {Error} for an option that is unknown or has a value that it cannot have, with the remedy
 */
export const parseOptions = (args, env = process.env) => {
  const { values } = parseArgs({ args, options: DEFINITIONS });
  if (values.help) return { help: true };
  const groups = groupsOf(values);
  return {
    help: false,
    groups,
    isWhole: groups.length === names.length,
    peers: values.peers,
    times: timesOf(values),
    nodes: nodesOf(values, env),
    gateway: values.gateway,
    json: values.json,
    dirty: values.dirty,
    isBuilt: env[BENCH_NODES] !== undefined,
    isOther: values.gateway !== CLI,
  };
};

const checkPaths = ({ nodes, json, gateway, isOther }) => {
  for (const path of nodes) {
    try {
      nodeFacts(path);
    } catch (error) {
      throw new Error(`--node ${path} does not run: ${error.message.split('\n', 1)[0]}`);
    }
  }
  if (isOther && !existsSync(gateway)) throw new Error(`--gateway ${gateway} does not exist`);
  if (json === undefined) return;
  try {
    accessSync(dirname(resolve(json)), constants.W_OK);
  } catch {
    throw new Error(`--json ${json}: the folder does not exist or cannot be written`);
  }
};

/**
 * Returns the exit code and the text of a command that measures nothing: the help, or the reason of a refusal. Undefined for one that
 * measures. It needs no build and no installed package.
 */
export const earlyAnswer = (args) => {
  try {
    const options = parseOptions(args);
    if (options.help) return { code: 0, text: HELP };
    checkPaths(options);
  } catch (error) {
    return { code: 2, text: `${error.message}\nSee npm run bench -- --help\n` };
  }
  if (existsSync('/proc/self/schedstat')) return undefined;
  return {
    code: 1,
    text: 'The benchmark reads processor time from /proc/<pid>/task/<thread>/schedstat, which Linux has.\n',
  };
};
