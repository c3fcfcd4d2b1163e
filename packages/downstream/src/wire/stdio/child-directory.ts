import { resolve } from 'node:path';
import type { StdioServerSpec } from '@gateway/crd-schemas';

/**
 * The working directory of a stdio child as an absolute path: `spec.cwd`, counted from the base directory when it is relative. `undefined`
 * without it: the child runs where the gateway does.
 *
 * @spec §2.6 `cwd`
 */
export const childDirectory = (
  { cwd }: Pick<StdioServerSpec, 'cwd'>,
  baseDirectory = '.',
): string | undefined => (cwd === undefined ? undefined : resolve(baseDirectory, cwd));
