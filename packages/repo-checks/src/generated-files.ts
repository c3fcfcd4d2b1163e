import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readRequirementFacts } from './requirement-facts.ts';
import { formatTraceability } from './traceability.ts';
import { type GeneratedFile, loadModule, listMembers } from './repository-files.ts';

const listPackageFiles = async (root: string): Promise<readonly GeneratedFile[]> => {
  const lists = await Promise.all(
    (await listMembers(root)).map(async ({ folder }) => {
      const loaded = await loadModule(root, `${folder}/generated.ts`);
      if (loaded === undefined) return [];
      if (!('generated' in loaded))
        throw new Error(`${folder}/generated.ts must export \`generated\``);
      return loaded.generated as readonly GeneratedFile[];
    }),
  );
  return lists.flat();
};

/** Returns all generated files: repository-wide files first, then the files that packages declare. */
export const listGeneratedFiles = async (root: string): Promise<readonly GeneratedFile[]> => [
  {
    path: 'docs/spec/traceability.md',
    text: async () => formatTraceability(await readRequirementFacts(root)),
  },
  ...(await listPackageFiles(root)),
];

const isCurrent = async (file: string, text: string): Promise<boolean> =>
  existsSync(file) && (await readFile(file, 'utf8')) === text;

/**
 * Compares the committed generated files with fresh output.
 * @param write whether to overwrite stale files
 * @returns the paths of the stale files
 */
export const findStaleFiles = async (root: string, write: boolean): Promise<readonly string[]> => {
  const stale: string[] = [];
  for (const { path, text } of await listGeneratedFiles(root)) {
    const file = join(root, path);
    const current = await text();
    if (await isCurrent(file, current)) continue;
    stale.push(path);
    if (!write) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, current);
  }
  return stale;
};
