import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { workspaceFolders } from './pnpm.mjs';

/** The programs that long tests start and that a machine may not have. A test file names those it needs: `store.redis.test.ts`. */
const PEERS = [
  ...[
    'browser',
    'cluster',
    'dex',
    'fish',
    'go',
    'haproxy',
    'npm',
    'pypi',
    'redis',
    'registry',
    'zsh',
  ],
];

/** The programs that make them ready and print the reason for each that is missing. */
const OWNERS = {
  'packages/interop/src/compat/prepare-peers.ts': ['npm', 'pypi'],
  'packages/test-peers/src/prepare-peers.ts': [
    ...['browser', 'cluster', 'dex', 'fish', 'go', 'haproxy', 'redis', 'registry', 'zsh'],
  ],
};
const LOADER = 'packages/repo-checks/bin/load-typescript.mjs';
const LONG = 'test/long';

/** Returns the peers in the name of a test file. */
export const peersOf = (file) =>
  PEERS.filter((peer) => file.split('/').at(-1).split('.').slice(1, -2).includes(peer));

/** Returns the long tests that need peers, as paths below the root. */
export const filesWithPeers = (root) =>
  workspaceFolders(root)
    .map((folder) => `${folder}/${LONG}`)
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
    )
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts') && peersOf(file).length > 0)
    .sort();

/** Returns the patterns of the test files that need one of the peers. */
export const patternsOf = (peers) =>
  peers.flatMap((peer) => [`**/*.${peer}.test.ts`, `**/*.${peer}.*.test.ts`]);

/** Returns the test files that cannot run and the reasons. @param missing the reason by peer */
export const notRun = (files, missing) =>
  files.flatMap((file) => {
    const reasons = peersOf(file).flatMap((peer) => missing[peer] ?? []);
    return reasons.length === 0 ? [] : [{ file, reason: reasons.join('; ') }];
  });

const isSelected = (file, filters) => {
  const paths = filters.filter((filter) => !filter.startsWith('-'));
  return paths.length === 0 || paths.some((path) => file.includes(path));
};

const all = (peers, reason) => Object.fromEntries(peers.map((peer) => [peer, reason]));

/** Runs one of these programs: what peers need is built once for a user, or installed where that is allowed. */
const prepareOf = async (program, peers, { root, env }) => {
  const loader = pathToFileURL(join(root, LOADER)).href;
  const args = ['--import', loader, join(root, program), ...peers];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
    return JSON.parse(stdout);
  } catch (error) {
    return all(peers, `its preparation failed: ${error.message}`);
  }
};

/** Returns the reason by missing peer. */
const prepare = async (peers, context) => {
  const missing = {};
  for (const [program, owned] of Object.entries(OWNERS)) {
    const wanted = owned.filter((peer) => peers.includes(peer));
    if (wanted.length > 0) Object.assign(missing, await prepareOf(program, wanted, context));
  }
  return missing;
};

/**
 * Makes ready what the selected long tests start.
 * @param filters the arguments for vitest
 * @returns the missing peers, and the files that cannot run with the reasons
 */
export const preparePeers = async (root, filters, env) => {
  const files = filesWithPeers(root).filter((file) => isSelected(file, filters));
  if (files.length === 0) return { missing: [], files: [] };
  const peers = PEERS.filter((peer) => files.some((file) => peersOf(file).includes(peer)));
  process.stderr.write(
    `Preparing what the long tests start: ${peers.join(', ')}. The first time takes minutes.\n`,
  );
  const missing = await prepare(peers, { root, env });
  return { missing: Object.keys(missing), files: notRun(files, missing) };
};
