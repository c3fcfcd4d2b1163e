import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** The message for a link that leads out of the directory. */
export const OUTSIDE = 'is a link to a file outside of the directory';

/** Returns whether a file, after all links, is outside of a directory. Rejects when one of them does not exist. */
export const leadsOutside = async (file: string, directory: string): Promise<boolean> => {
  const [target, root] = await Promise.all([realpath(file), realpath(directory)]);
  const way = path.relative(root, target);
  return way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
};
