import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { workspaceFolders } from './pnpm.mjs';
import { patternsOf } from './real-peers.mjs';

/** The folder of tests that need a process of their own: they measure it, or change it for good. */
const ISOLATED = 'test/isolated';
/** The folder of long proofs, which only `npm run test:long` runs. Each file has a process of its own. */
const LONG = 'test/long';

const TESTS = '**/*.test.{ts,tsx}';

/** The packages whose tests take longest. They come first, so that no core is idle while the last file runs. */
const FIRST = ['gateway', 'repo-checks', 'downstream', 'charts', 'resource-store', 'mcp-http'];

const rank = (folder) => {
  const at = FIRST.indexOf(basename(folder));
  return at < 0 ? FIRST.length : at;
};

const has = (root, folder, path) => existsSync(join(root, folder, path));

/** Returns the folders of packages and apps that have quick tests, or long ones: first those whose tests take longest. */
export const testFolders = (root, { long }) =>
  workspaceFolders(root)
    .filter((folder) => has(root, folder, long ? LONG : 'test'))
    .toSorted((a, b) => rank(a) - rank(b));

const longProjects = (root, missing) =>
  testFolders(root, { long: true }).map((folder) => ({
    name: `${basename(folder)}:long`,
    include: [`${folder}/${LONG}/${TESTS}`],
    exclude: patternsOf(missing),
    isolate: true,
  }));

const quickProjects = (root) => {
  const folders = testFolders(root, { long: false });
  const inAll = (path) => folders.map((folder) => `${folder}/${path}/${TESTS}`);
  return [
    { name: 'isolated', include: inAll(ISOLATED), exclude: [], isolate: true },
    {
      name: 'quick',
      include: inAll('test'),
      exclude: [...inAll(ISOLATED), ...inAll(LONG)],
      isolate: false,
    },
  ];
};

/**
 * Returns the vitest projects. Quick tests of all packages are one project, `quick`, whose files share processes: each process loads a
 * module once, which takes a third less processor time than a project per package. Tests in `test/isolated` have a process per file. The
 * long proofs of a package are a project named after it, `catalog:long`, with a process per file.
 * @param long returns the projects of the long proofs, otherwise the others
 * @param missing the peers that this machine does not have: long proofs that need them are left out
 */
export const testProjects = (root, { long, missing = /** @type {string[]} */ ([]) }) =>
  long ? longProjects(root, missing) : quickProjects(root);
