import { resolve } from 'node:path';
import type { StdioServerSpec } from '@gateway/crd-schemas';

/**
 * Returns the absolute working directory of a stdio server: `spec.cwd`, resolved against the base directory. `undefined` without it: the
 * process inherits the directory of the gateway.
 *
 * @spec §2.6 `cwd`
 */
export const childDirectory = (
  { cwd }: Pick<StdioServerSpec, 'cwd'>,
  baseDirectory = '.',
): string | undefined => (cwd === undefined ? undefined : resolve(baseDirectory, cwd));
