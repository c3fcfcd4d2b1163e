import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package. */
const PACKAGE = fileURLToPath(new URL('../../..', import.meta.url));

/** The folder of the whole repository. */
export const REPOSITORY = resolve(PACKAGE, '../..');

/** Returns a path in this package. */
export const placeOf = (...names: readonly string[]): string => resolve(PACKAGE, ...names);
