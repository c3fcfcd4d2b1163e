import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** The folder of the whole repository. */
export const REPOSITORY = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../../..');

/**
 * The manifest of a package that this one depends on.
 *
 * @param name as in `package.json`
 * @returns an absolute path
 * @throws when the package is not installed, as optional ones may be
 */
export function packageFile(name: string): string {
  return require.resolve(`${name}/package.json`);
}
