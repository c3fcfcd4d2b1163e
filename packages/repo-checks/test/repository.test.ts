import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRequirementFacts } from '../src/requirement-facts.ts';
import { findRequirementProblems } from '../src/requirement-problems.ts';
import { listMembers } from '../src/repository-files.ts';

/** The gates: what must hold in this repository as it stands. */
const root = resolve(import.meta.dirname, '../../..');

describe('the requirements of this repository', () => {
  it('each have one owner, a source and a proof, or are listed as open', async () => {
    const facts = await readRequirementFacts(root);
    expect(findRequirementProblems(facts)).toEqual([]);
    const sources = [...facts.sources.values()].flat();
    expect(sources.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

/** Packages that the spec gives no sentence to. */
const WITHOUT_REQUIREMENTS = [
  'caller-auth',
  'agent-manager-service',
  'interop',
  'service-host',
  'mcp-http',
  'portal-service',
  'portal-web',
  'repo-checks',
];

const isPublished = (folder: string): boolean =>
  'publishConfig' in
  (JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as object);

describe('every package', () => {
  it('has a README', async () => {
    const missing = (await listMembers(root)).filter(
      ({ folder }) => !existsSync(join(root, folder, 'README.md')),
    );
    expect(missing.map(({ folder }) => folder)).toEqual([]);
  });

  it('that is published pins its public surface in test/surface.test.ts', async () => {
    const missing = (await listMembers(root)).filter(
      ({ kind, folder }) =>
        kind === 'packages' &&
        isPublished(folder) &&
        !existsSync(join(root, folder, 'test/surface.test.ts')),
    );
    expect(missing.map(({ folder }) => folder)).toEqual([]);
  });

  it('says what it owes to the spec in spec.requirements.ts', async () => {
    const missing = (await listMembers(root)).filter(
      ({ kind, name, folder }) =>
        kind === 'packages' &&
        !WITHOUT_REQUIREMENTS.includes(name) &&
        !existsSync(join(root, folder, 'spec.requirements.ts')),
    );
    expect(missing.map(({ folder }) => folder)).toEqual([]);
  });
});

/** The files and folders of the top level, apart from dotfiles: the repository, and the files that tools require there. */
const TOP_LEVEL = [
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'SUPPORT.md',
  'apps',
  'docs',
  'eslint.config.js',
  'node_modules',
  'package.json',
  'packages',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'tsconfig.json',
  'turbo.json',
  'vitest.config.ts',
];

describe('the top level', () => {
  it('has only these files and folders', async () => {
    const names = (await readdir(root)).filter((name) => !name.startsWith('.'));
    expect(names.filter((name) => !TOP_LEVEL.includes(name))).toEqual([]);
  });

  it('has a licence and a README', () => {
    expect(['LICENSE', 'README.md'].filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });
});
