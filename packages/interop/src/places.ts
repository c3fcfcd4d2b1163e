import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package. */
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** The folder of the whole repository. */
export const REPOSITORY = resolve(PACKAGE, '../..');

/** Returns a path in this package. */
export const placeOf = (...names: readonly string[]): string => resolve(PACKAGE, ...names);

const require = createRequire(import.meta.url);

/** Returns the path of the manifest of a package that this one depends on. @throws when it is not installed, as optional ones may be */
export const packageFile = (name: string): string => require.resolve(`${name}/package.json`);
