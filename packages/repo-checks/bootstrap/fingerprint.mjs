import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT_MANIFESTS = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc'];
const BUILD_SETTINGS = [
  'turbo.json',
  'packages/repo-checks/tsup.config.js',
  'packages/repo-checks/tsup.program.js',
  'packages/repo-checks/tsconfig/base.json',
];

/** Returns the folders of all packages and apps, sorted, relative to `root`. */
export const workspaceFolders = (root) =>
  ['packages', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind))
      .sort()
      .map((name) => `${kind}/${name}`)
      .filter((folder) => existsSync(join(root, folder, 'package.json'))),
  );

const filesBelow = (root, folder) => {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(root, path) : [path];
    });
};

/** Returns a digest of names and contents; a missing file differs from an empty one. */
const digest = (root, files, ...facts) => {
  const hash = createHash('sha256').update(facts.join('\n'));
  for (const file of files) {
    const path = join(root, file);
    hash.update(`\0${file}\0`).update(existsSync(path) ? readFileSync(path) : 'absent');
  }
  return hash.digest('hex');
};

const platform = () => [process.platform, process.arch];

/** Returns a digest of all that an install depends on: manifests, lock file, platform. */
export const installFingerprint = (root) => {
  const manifests = workspaceFolders(root).map((folder) => `${folder}/package.json`);
  return digest(root, [...ROOT_MANIFESTS, ...manifests], ...platform());
};

/** Returns a digest of all that a build depends on: sources, settings, dependencies. */
export const buildFingerprint = (root) => {
  const sources = workspaceFolders(root).flatMap((folder) => [
    `${folder}/package.json`,
    `${folder}/tsconfig.json`,
    `${folder}/tsup.config.js`,
    ...filesBelow(root, `${folder}/src`),
  ]);
  const plugins = filesBelow(root, 'packages/repo-checks/program');
  const files = [...ROOT_MANIFESTS, ...BUILD_SETTINGS, ...plugins, ...sources];
  return digest(root, files, ...platform());
};

const manifestOf = (root, folder) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** Returns the files that a finished build of the given kinds of folders leaves, as the shared tsup settings name them. */
export const buildOutputs = (root, kinds) =>
  workspaceFolders(root)
    .filter((folder) => kinds.includes(folder.split('/', 1)[0]))
    .filter((folder) => manifestOf(root, folder).scripts?.build !== undefined)
    .flatMap((folder) =>
      ['index', 'cli']
        .filter((name) => existsSync(join(root, folder, `src/${name}.ts`)))
        .map((name) => `${folder}/dist/${name}.js`),
    );

/** Returns the declarations that a finished build of all packages leaves, as the shared tsup settings name them. */
export const declarationOutputs = (root) =>
  workspaceFolders(root)
    .filter((folder) => {
      const { private: isPrivate, scripts } = manifestOf(root, folder);
      const isBuilt = scripts?.build !== undefined && isPrivate !== true;
      return isBuilt && existsSync(join(root, folder, 'src/index.ts'));
    })
    .map((folder) => `${folder}/dist/index.d.ts`);

/** Returns the files and folders that a finished install leaves. */
export const installOutputs = (root) => [
  'node_modules/.modules.yaml',
  ...workspaceFolders(root)
    .filter((folder) => {
      const { dependencies = {}, devDependencies = {} } = manifestOf(root, folder);
      return Object.keys({ ...dependencies, ...devDependencies }).length > 0;
    })
    .map((folder) => `${folder}/node_modules`),
];
