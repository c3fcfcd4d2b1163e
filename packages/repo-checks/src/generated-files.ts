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

/** Every generated file of the repository: those of the whole, then those that packages list. */
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
 * Compares what is committed with what the sources give now.
 * @param write whether to bring differing files up to date
 * @returns the paths that differed
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
