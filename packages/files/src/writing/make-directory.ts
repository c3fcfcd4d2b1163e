import { mkdir } from 'node:fs/promises';
import { returnOn } from '../failures/ignore-error.ts';

/**
 * Creates a directory unless it exists. Does not create its parent: a missing parent may be a disk that is not mounted.
 *
 * @param mode the permissions of a new directory
 */
export const makeDirectory = async (directory: string, mode?: number): Promise<void> => {
  await mkdir(directory, mode === undefined ? {} : { mode }).catch(returnOn('EEXIST', undefined));
};
