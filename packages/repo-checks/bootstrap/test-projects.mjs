import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { workspaceFolders } from './fingerprint.mjs';
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

const shared = (root, folder) =>
  existsSync(join(root, folder, 'test'))
    ? [
        {
          folder,
          name: basename(folder),
          include: [`${folder}/test/${TESTS}`],
          exclude: [`${folder}/${ISOLATED}/**`, `${folder}/${LONG}/**`],
          isolate: false,
        },
      ]
    : [];

const separate = (root, folder, path, { suffix, exclude = [] }) =>
  existsSync(join(root, folder, path))
    ? [
        {
          folder,
          name: `${basename(folder)}:${suffix}`,
          include: [`${folder}/${path}/${TESTS}`],
          exclude,
          isolate: true,
        },
      ]
    : [];

/**
 * Returns the vitest projects of all packages and apps: one per package, named after it, whose files share processes, and one each
 * for its folders `test/isolated` (`catalog:isolated`) and `test/long` (`catalog:long`).
 * @param long returns the projects of the long proofs, otherwise all others
 * @param missing the peers that this machine does not have: long proofs that need them are left out
 */
export const testProjects = (root, { long, missing = /** @type {string[]} */ ([]) }) => {
  const folders = workspaceFolders(root).toSorted((a, b) => rank(a) - rank(b));
  if (long)
    return folders.flatMap((folder) =>
      separate(root, folder, LONG, { suffix: 'long', exclude: patternsOf(missing) }),
    );
  return [
    ...folders.flatMap((folder) => separate(root, folder, ISOLATED, { suffix: 'isolated' })),
    ...folders.flatMap((folder) => shared(root, folder)),
  ];
};
