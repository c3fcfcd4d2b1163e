import { lstat } from 'node:fs/promises';

/** Whether there is a link of this name, which tells a link that leads nowhere from a file that is gone. Never rejects. */
export const isLink = async (file: string): Promise<boolean> => {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch {
    return false;
  }
};
