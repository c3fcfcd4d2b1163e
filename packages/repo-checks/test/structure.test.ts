import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { folders } from '../../../.dependency-cruiser.mjs';
import { findAppProblems } from '../src/app-limits.ts';
import { findFolderCycles } from '../src/folder-cycles.ts';
import { findProseProblems } from '../src/prose.ts';
import { findUnusedExports } from '../src/unused-exports.ts';
import {
  findImports,
  listMembers,
  readTexts,
  type Member,
  type SourceText,
} from '../src/repository-files.ts';

/** The gates on structure and language: what must hold in this repository as it stands. */
const root = resolve(import.meta.dirname, '../../..');

/** Words that a page or a file needs although they are banned, in lower case. */
const ALLOWED_WORDS: Readonly<Record<string, readonly string[]>> = {};

/** Pages with the words of others: the specification, and what is made of its sentences. */
const QUOTING = /^docs\/spec\/(?:spec|decisions|traceability)\.md$/;

let owners: readonly Member[];
let code: readonly SourceText[];

beforeAll(async () => {
  owners = await listMembers(root);
  const kinds = ['packages', 'apps'].map((kind) => readTexts(root, kind, /\.(?:[cm]?[jt]s|tsx)$/));
  code = (await Promise.all(kinds)).flat();
});

const sourcesOf = (folder: string): readonly SourceText[] =>
  code.filter(({ file }) => file.startsWith(`${folder}/src/`));

describe('the folders of a package', () => {
  it('do not import each other', () => {
    const imports = owners.flatMap(({ folder }) => sourcesOf(folder)).flatMap(findImports);
    expect(findFolderCycles(imports)).toEqual([]);
  });
});

describe('the table of folders', () => {
  it('has every folder in the sources of the packages it lists', () => {
    const topOf = ({ file }: SourceText, folder: string) =>
      file.slice(`${folder}/src/`.length).split('/').slice(0, -1).slice(0, 1);
    const actual = Object.keys(folders).map((folder) => {
      const names = sourcesOf(folder).flatMap((source) => topOf(source, folder));
      return [folder, [...new Set(names)].sort()];
    });
    const listed = Object.entries(folders).map(([folder, names]) => [folder, names.toSorted()]);
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(listed));
  });
});

describe('an application', () => {
  it('composes packages, and has no rule and no text of its own', () => {
    const apps = owners.filter(({ kind }) => kind === 'apps').map(({ folder }) => folder);
    expect(apps.flatMap((folder) => findAppProblems(sourcesOf(folder)))).toEqual([]);
  });
});

describe('a package that is not published', () => {
  it('exports only what other packages import', () => {
    const packages = owners.flatMap(({ folder }) => {
      const index = join(root, folder, 'src/index.ts');
      const manifest = readFileSync(join(root, folder, 'package.json'), 'utf8');
      const { name, private: isPrivate } = JSON.parse(manifest) as { name: string; private?: true };
      if (isPrivate !== true || !existsSync(index)) return [];
      return [{ name, folder, index: readFileSync(index, 'utf8') }];
    });
    expect(findUnusedExports(packages, code)).toEqual([]);
  });
});

describe('prose', () => {
  const problemsIn = (texts: readonly SourceText[]): readonly string[] =>
    texts.flatMap((source) => findProseProblems(source, ALLOWED_WORDS[source.file]));

  it('of sources is standard technical English', () => {
    expect(owners.flatMap(({ folder }) => problemsIn(sourcesOf(folder)))).toEqual([]);
  });

  it('of pages is standard technical English', async () => {
    const readmes = ['README.md', ...owners.map(({ folder }) => `${folder}/README.md`)];
    const pages = await readTexts(root, 'docs', /\.md$/);
    const texts = readmes.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
    expect(problemsIn([...texts, ...pages.filter(({ file }) => !QUOTING.test(file))])).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('leads through files that exist', () => {
    const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const missing: string[] = [];
    let owner = '';
    let steps = 0;
    for (const line of page.split('\n')) {
      owner = /`packages\/([\w-]+)\/src`:$/.exec(line)?.[1] ?? owner;
      const { name = owner, file } =
        /^1\. `(?:(?<name>[\w-]+): )?(?<file>[\w/.-]+\.ts)`/.exec(line)?.groups ?? {};
      if (file === undefined) continue;
      steps += 1;
      const path = `packages/${name}/src/${file}`;
      if (!existsSync(join(root, path))) missing.push(path);
    }
    expect(missing).toEqual([]);
    expect(steps).toBeGreaterThan(50);
  });
});

describe('the README of a package', () => {
  it('lists no type that the package does not export', async () => {
    const wrong = await Promise.all(
      owners.map(async ({ folder }) => {
        const [index] = await readTexts(root, `${folder}/src`, /\/src\/index\.ts$/);
        const page = readFileSync(join(root, folder, 'README.md'), 'utf8');
        const lists = page.match(/^(?:- )?Types[^:]*: (?:(?!\n\n|\n- )[^])*/gm) ?? [];
        return lists
          .flatMap((list) => [...list.matchAll(/`(?<name>[A-Z]\w+)`/g)])
          .map(({ groups = {} }) => groups['name'] ?? '')
          .filter((name) => !new RegExp(`\\b${name}\\b`).test(index?.text ?? ''))
          .map((name) => `${folder}: ${name}`);
      }),
    );
    expect(wrong.flat()).toEqual([]);
  });
});
