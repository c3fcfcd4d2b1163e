import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toolEnvironment } from './pnpm.mjs';
import { countsByFolder } from './test-tally.mjs';

const REPORT_LIMIT = 64 << 20;

/**
 * Returns the hash of the task `test` of each package that may be cached, by folder: it changes with the tests, with the sources of
 * the package and of all packages below it, with the settings, and with the versions of libraries.
 */
const testHashes = async (root) => {
  const turbo = join(root, 'node_modules/turbo/bin/turbo');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [turbo, 'run', 'test', '--dry=json'],
    { cwd: root, env: toolEnvironment(), maxBuffer: REPORT_LIMIT },
  );
  const tasks = JSON.parse(stdout).tasks.filter(
    ({ task, resolvedTaskDefinition }) => task === 'test' && resolvedTaskDefinition.cache,
  );
  return new Map(tasks.map(({ directory, hash }) => [directory, hash]));
};

const readCount = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).passed;
  } catch {
    return undefined;
  }
};

/**
 * Opens the record of the packages whose tests passed.
 * @param kind separates the records of the quick tests from those of the long ones
 * @returns `passed`: the number of tests of each unchanged package, by folder; `record`: adds the packages of a report
 */
export const openTestCache = async (root, kind) => {
  const hashes = await testHashes(root);
  const folder = join(root, 'node_modules/.cache/gateway/tests', kind);
  const fileOf = (hash) => join(folder, `${hash}.json`);
  const passed = new Map(
    [...hashes]
      .map(([path, hash]) => [path, readCount(fileOf(hash))])
      .filter(([, count]) => count !== undefined),
  );
  const record = (report) => {
    mkdirSync(folder, { recursive: true });
    for (const [path, counts] of countsByFolder(root, report)) {
      const hash = hashes.get(path);
      if (hash !== undefined && counts.failed === 0 && counts.passed > 0)
        writeFileSync(fileOf(hash), JSON.stringify({ path, passed: counts.passed }));
    }
  };
  return { passed, record };
};
