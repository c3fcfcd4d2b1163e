import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceFolders } from './fingerprint.mjs';

/** The line that turbo prints for a task: before the output of the task, which it prints when the task has ended. */
const TASK = /^(@?[\w./-]+):build: cache (hit|miss)/;
const SCOPE = /^\s*• Packages in scope: (.+)$/;

const builtNames = (root) => {
  const manifests = workspaceFolders(root).map((folder) =>
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  );
  return new Set(manifests.filter(({ scripts }) => scripts?.build).map(({ name }) => name));
};

/** Escape sequences of colours. */
const COLOURS = /\u001B\[[\d;]*m/g;

/**
 * Returns a reader of the output of `turbo run build --log-order=grouped`, and what it has read. It reports one line for each package that was
 * built, with its number, the number of packages and the seconds since the start; a package that turbo takes from its cache is counted and not
 * reported.
 */
export const createBuildProgress = (root, { report, now = () => performance.now() }) => {
  const start = now();
  let rest = '';
  let text = '';
  let total = 0;
  let done = 0;
  const readLine = (line) => {
    const [, scope] = SCOPE.exec(line) ?? [];
    if (scope !== undefined) {
      const names = builtNames(root);
      total = scope.split(', ').filter((name) => names.has(name)).length;
    }
    const [, name, cache] = TASK.exec(line) ?? [];
    if (name === undefined) return;
    done += 1;
    // A package that another one needs can be outside of the scope.
    total = Math.max(total, done);
    if (cache === 'hit') return;
    const seconds = Math.round((now() - start) / 1000);
    report(`  ${done} of ${total} packages after ${seconds} s: ${name}`);
  };
  return {
    read: (chunk) => {
      text += chunk;
      const lines = (rest + chunk).replaceAll(COLOURS, '').split('\n');
      rest = lines.pop();
      lines.forEach(readLine);
    },
    text: () => text,
  };
};
