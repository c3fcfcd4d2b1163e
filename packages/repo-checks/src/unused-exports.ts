import type { SourceText } from './repository-files.ts';

const EXPORT_LIST = /^export (?:type )?\{(?<names>[^}]*)\}/gm;
/** An export without a list of names, which this check cannot analyze. */
const OTHER_EXPORT = /^export (?!(?:type )?\{)[^\n]*/gm;
const IMPORT_LIST =
  /(?:import|export) (?:type )?\{(?<names>[^}]*)\}\s+from '(?<package>@gateway\/[^'/]+)'/g;
const DYNAMIC_IMPORT =
  /\{(?<names>[^{}]*)\} = (?:await )?import\('(?<package>@gateway\/[^'/]+)'\)/g;

const splitNames = (list: string): readonly string[] =>
  list
    .split(',')
    .map((entry) => entry.trim().replace(/^type /, ''))
    .filter((entry) => entry !== '');

const toExportedName = (entry: string): string => entry.replace(/^.* as /, '');
const toImportedName = (entry: string): string => entry.replace(/(?: as |:).*$/s, '');

/** Returns the imports of a file from packages of the workspace, as `<package>#<name>`. */
const findPackageImports = ({ text }: SourceText): readonly string[] =>
  [...text.matchAll(IMPORT_LIST), ...text.matchAll(DYNAMIC_IMPORT)].flatMap(({ groups = {} }) =>
    splitNames(groups['names'] ?? '').map(
      (entry) => `${groups['package'] ?? ''}#${toImportedName(entry)}`,
    ),
  );

/** A package that is not published, and the text of its `src/index.ts`. */
export interface PrivatePackage {
  readonly name: string;
  readonly folder: string;
  readonly index: string;
}

/**
 * Returns a message for each export of a private package that no other package imports.
 * @param files all code of the repository: sources, tests, benchmarks, examples
 */
export const findUnusedExports = (
  packages: readonly PrivatePackage[],
  files: readonly SourceText[],
): readonly string[] => {
  const importers = Map.groupBy(
    files.flatMap((source) =>
      findPackageImports(source).map((key) => ({ key, file: source.file })),
    ),
    ({ key }) => key,
  );
  return packages.flatMap(({ name, folder, index }) => [
    ...[...index.matchAll(OTHER_EXPORT)].map(
      ([line]) => `${name} exports without a list of names: ${line}`,
    ),
    ...[...index.matchAll(EXPORT_LIST)]
      .flatMap((match) => splitNames(match.groups?.['names'] ?? '').map(toExportedName))
      .filter((exported) =>
        (importers.get(`${name}#${exported}`) ?? []).every(({ file }) =>
          file.startsWith(`${folder}/`),
        ),
      )
      .map((exported) => `${name} exports ${exported}, which no other package imports`),
  ]);
};
