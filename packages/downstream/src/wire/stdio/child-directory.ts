import { resolve } from 'node:path';
import type { StdioServerSpec } from '@gateway/crd-schemas';

/**
 * Returns the absolute working directory of a stdio server, from which its relative command and arguments count: `spec.cwd`, resolved
 * against the base directory, or the base directory itself. `undefined` without both: the process inherits the directory of the gateway.
 *
 * @spec §2.6 `cwd`
 */
export const childDirectory = (
  { cwd }: Pick<StdioServerSpec, 'cwd'>,
  baseDirectory?: string,
): string | undefined =>
  cwd === undefined && baseDirectory === undefined
    ? undefined
    : resolve(baseDirectory ?? '.', cwd ?? '.');
