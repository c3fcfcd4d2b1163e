import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { npmScript, pnpmCommand, workspaceFolders } from '../bootstrap/pnpm.mjs';
import { runTool } from './run-tool.mjs';

const TYPES_LINTER = join(
  import.meta.dirname,
  '../node_modules/@arethetypeswrong/cli/dist/index.js',
);
const TYPES_OPTIONS = [
  '--profile',
  'esm-only',
  '--no-definitely-typed',
  '--no-color',
  '--format',
  'ascii',
];

const publishedFolders = async (root) => {
  const folders = await Promise.all(
    workspaceFolders(root).map(async (folder) => {
      const manifest = await manifestOf(root, folder);
      return manifest.private !== true && manifest.publishConfig !== undefined ? [folder] : [];
    }),
  );
  return folders.flat();
};

/** Packs what would be published, as pnpm publishes it: with `publishConfig` and real versions in the manifest. */
const pack = async (root, folders, into) => {
  const filters = folders.flatMap((folder) => ['--filter', `./${folder}`]);
  const { script, args } = pnpmCommand(root, [
    ...filters,
    '-r',
    'pack',
    '--pack-destination',
    into,
  ]);
  return runTool(script, args, root);
};

const layoutProblems = async (tarball) => {
  const bytes = await readFile(tarball);
  const { messages, pkg } = await publint({
    strict: true,
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
  });
  return messages.map((message) => `${pkg.name}: ${formatMessage(message, pkg, { color: false })}`);
};

/** Doors to texts that no module resolution knows, such as YAML: they are read as files. */
const textDoors = ({ publishConfig: { exports: doors = {} } }) =>
  Object.keys(doors)
    .filter((door) => /\.ya?ml$/.test(door))
    .map((door) => door.slice('./'.length));

const typeProblems = async (tarball, manifest) => {
  const excluded = textDoors(manifest);
  const options = excluded.length === 0 ? [] : ['--exclude-entrypoints', ...excluded];
  const args = [tarball, ...TYPES_OPTIONS, ...options];
  const { code, output } = await runTool(TYPES_LINTER, args, tmpdir());
  return code === 0 ? [] : [output];
};

const manifestOf = async (root, folder) =>
  JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));

/** Module resolutions of applications that use the packages. */
const RESOLUTIONS = [
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
];

const COMPILER = 'node_modules/typescript/bin/tsc';

const NPM_OPTIONS = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];

/** What every application has: the types of the language and of the web platform, which Node shares. */
const COMPILER_OPTIONS = [
  '--strict',
  '--skipLibCheck',
  'false',
  '--target',
  'es2023',
  '--lib',
  'esnext,dom',
];

/** Types of other projects are not corrected here. */
const isForeign = (line) => /^node_modules\/(?!@gateway\/)/.test(line);

/** An application that uses React has its types. */
const typesOfPeers = ({ peerDependencies = {}, devDependencies = {} }) =>
  Object.fromEntries(
    Object.keys(peerDependencies)
      .map((peer) => `@types/${peer}`)
      .filter((types) => types in devDependencies)
      .map((types) => [types, '*']),
  );

/** Compiles an application that has one package and its dependencies, and nothing else. */
const aloneProblems = async (root, manifest, packed) => {
  const { name, publishConfig } = manifest;
  const folder = await mkdtemp(join(tmpdir(), 'alone-'));
  try {
    const { [name]: own, ...others } = packed;
    const application = {
      type: 'module',
      private: true,
      overrides: others,
      dependencies: { [name]: own, ...typesOfPeers(manifest) },
    };
    await writeFile(join(folder, 'package.json'), JSON.stringify(application));
    const installed = await runTool(npmScript(), ['install', ...NPM_OPTIONS], folder);
    if (installed.code !== 0) return [`${name}: ${installed.output}`];
    const doors = Object.keys(publishConfig.exports ?? { '.': '' }).filter(
      (door) => !/\.(?:ya?ml|json|css)$/.test(door),
    );
    const imports = doors.map((door, at) => `export * as e${at} from '${name}${door.slice(1)}';`);
    await writeFile(join(folder, 'application.ts'), imports.join('\n'));
    const problems = [];
    for (const [module, resolution] of RESOLUTIONS) {
      const how = ['--module', module, '--moduleResolution', resolution];
      const args = ['--noEmit', ...COMPILER_OPTIONS, ...how, 'application.ts'];
      const { output } = await runTool(join(root, COMPILER), args, folder);
      const errors = output
        .split('\n')
        .filter((line) => /error TS\d/.test(line) && !isForeign(line));
      problems.push(...errors.map((error) => `${name} with ${resolution}: ${error}`));
    }
    return problems;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const tarballOf = (tarballs, { name }) => {
  const stem = name.replace('@', '').replace('/', '-');
  return tarballs.find((file) => new RegExp(`^${stem}-\\d`).test(file));
};

/** Lints each package as a consumer would receive it: files and doors (publint), types (are-the-types-wrong, and the compiler without `skipLibCheck`). */
export const lintPublished = async (root) => {
  const folders = await publishedFolders(root);
  const into = await mkdtemp(join(tmpdir(), 'packed-'));
  try {
    const packed = await pack(root, folders, into);
    if (packed.code !== 0) return packed;
    const tarballs = await readdir(into);
    const packages = await Promise.all(
      folders.map(async (folder) => {
        const manifest = await manifestOf(root, folder);
        return { folder, manifest, tarball: tarballOf(tarballs, manifest) };
      }),
    );
    const absent = packages.find(({ tarball }) => tarball === undefined);
    if (absent !== undefined) return { code: 1, output: `${absent.folder} was not packed` };
    const files = Object.fromEntries(
      packages.map(({ manifest, tarball }) => [manifest.name, `file:${join(into, tarball)}`]),
    );
    const problems = [];
    for (const { manifest, tarball } of packages) {
      problems.push(...(await layoutProblems(join(into, tarball))));
      problems.push(...(await typeProblems(join(into, tarball), manifest)));
      problems.push(...(await aloneProblems(root, manifest, files)));
    }
    return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
  } finally {
    await rm(into, { recursive: true, force: true });
  }
};
