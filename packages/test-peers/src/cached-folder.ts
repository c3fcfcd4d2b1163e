import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';

/**
 * Returns the path of a folder that is filled once for each user. It has its name when it is whole: a filling that is interrupted, or
 * that another process has overtaken, leaves nothing that is used.
 */
export const cachedFolder = async (
  name: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> => {
  const folder = join(cacheFolder(), name);
  if (existsSync(folder)) return folder;
  await mkdir(cacheFolder(), { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    await fill(draft);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
};
