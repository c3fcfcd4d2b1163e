import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { BUNDLED_PROGRAM } from '@gateway/repo-checks';
import { buildSync } from 'esbuild';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const LOCK_FILE = join(import.meta.dirname, '../../../../pnpm-lock.yaml');
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/fixtures');

/** The scripts that load an SDK, whose hundreds of files are half of the work of a start. */
const SCRIPTS = [
  'features-http.mjs',
  'features-stdio.mjs',
  'gen1-stdio.mjs',
  'gen2-stdio.mjs',
  'sdk-http.mjs',
] as const;

/** Changes with the fixtures and with the libraries that they load. */
const fingerprint = (): string => {
  const hash = createHash('sha256').update(readFileSync(LOCK_FILE));
  for (const name of readdirSync(FIXTURES).sort())
    hash.update(`\0${name}\0`).update(readFileSync(join(FIXTURES, name)));
  return hash.digest('hex').slice(0, 16);
};

/** Several test processes may come here at once: each builds aside, and the first puts it in place. */
const build = (folder: string): void => {
  mkdirSync(CACHE, { recursive: true });
  const aside = mkdtempSync(`${folder}-`);
  buildSync({
    ...BUNDLED_PROGRAM,
    entryPoints: SCRIPTS.map((name) => join(FIXTURES, name)),
    outdir: aside,
    splitting: true,
  });
  try {
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
};

let bundled: string | undefined;

const bundledFolder = (): string => {
  const folder = join(CACHE, fingerprint());
  if (!existsSync(folder)) build(folder);
  return folder;
};

/** Returns the path of a fixture that starts fast: with its libraries in a few files where it has any, else as it is. */
export const fixture = (name: string): string => {
  if (!SCRIPTS.some((script) => script === name)) return join(FIXTURES, name);
  bundled ??= bundledFolder();
  return join(bundled, name);
};
