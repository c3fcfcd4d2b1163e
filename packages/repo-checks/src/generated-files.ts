import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GeneratedFile } from './generated-file.ts';
import { requirementFacts } from './requirement-facts.ts';
import { traceabilityTable } from './traceability.ts';
import { loadModule, members } from './workspace.ts';

const ofPackages = async (root: string): Promise<readonly GeneratedFile[]> => {
  const lists = await Promise.all(
    (await members(root)).map(async ({ folder }) => {
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
export const generatedFiles = async (root: string): Promise<readonly GeneratedFile[]> => [
  {
    path: 'docs/spec/traceability.md',
    text: async () => traceabilityTable(await requirementFacts(root)),
  },
  ...(await ofPackages(root)),
];

const isCurrent = async (file: string, text: string): Promise<boolean> =>
  existsSync(file) && (await readFile(file, 'utf8')) === text;

/**
 * Compares what is committed with what the sources give now.
 * @param write whether to bring differing files up to date
 * @returns the paths that differed
 */
export const staleFiles = async (root: string, write: boolean): Promise<readonly string[]> => {
  const stale: string[] = [];
  for (const { path, text } of await generatedFiles(root)) {
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
