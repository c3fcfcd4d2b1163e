import { lstat } from 'node:fs/promises';

/** Returns whether this path is a symbolic link, which distinguishes a dangling link from a missing file. Never rejects. */
export const isLink = async (file: string): Promise<boolean> => {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch {
    return false;
  }
};
