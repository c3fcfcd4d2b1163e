import type { FileImport } from './repository-files.ts';

/** Imports between two folders with the same parent. */
interface FolderImport extends FileImport {
  readonly parent: string;
  readonly fromFolder: string;
  readonly toFolder: string;
}

/** Returns the folders next to each other that an import connects, or nothing when one file is in a parent folder of the other. */
const toFolderImports = ({ from, to }: FileImport): readonly FolderImport[] => {
  const [source, target] = [from.split('/'), to.split('/')];
  const depth = source.findIndex((name, at) => target[at] !== name);
  if (depth < 0 || depth >= source.length - 1 || depth >= target.length - 1) return [];
  const parent = source.slice(0, depth).join('/');
  const [fromFolder = '', toFolder = ''] = [source[depth], target[depth]];
  return [{ from, to, parent, fromFolder, toFolder }];
};

/** Removes, again and again, the folders that import from none of those left. What stays is in a cycle, or above one. */
const withoutOrder = (imports: readonly FolderImport[]): readonly FolderImport[] => {
  const importing = new Set(imports.map(({ fromFolder }) => fromFolder));
  const left = imports.filter(({ toFolder }) => importing.has(toFolder));
  return left.length === imports.length ? imports : withoutOrder(left);
};

const formatCycle = (parent: string, imports: readonly FolderImport[]): string => {
  const pairs = Map.groupBy(imports, ({ fromFolder, toFolder }) => `${fromFolder} -> ${toFolder}`);
  const examples = [...pairs].map(
    ([pair, [first]]) => `${pair} (${first?.from ?? ''} imports ${first?.to ?? ''})`,
  );
  return `the folders in ${parent} import each other: ${examples.sort().join('; ')}`;
};

/** Returns one sentence for each group of folders next to each other that import each other, directly or through others. */
export const findFolderCycles = (imports: readonly FileImport[]): readonly string[] => {
  const byParent = Map.groupBy(imports.flatMap(toFolderImports), ({ parent }) => parent);
  return [...byParent]
    .map(([parent, its]) => ({ parent, left: withoutOrder(its) }))
    .filter(({ left }) => left.length > 0)
    .map(({ parent, left }) => formatCycle(parent, left));
};
