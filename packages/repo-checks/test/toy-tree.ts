import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Runs `use` on a folder that holds `files` (path -> text); the folder's path has a space in it. */
export const withToyTree = async <T>(
  files: Readonly<Record<string, string>>,
  use: (root: string) => Promise<T>,
): Promise<T> => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'toy tree ')));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    return await use(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};
