import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { workspaceFolders } from '../bootstrap/fingerprint.mjs';
import { pnpmCommand } from '../bootstrap/pnpm.mjs';
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

/** Lints each package as a consumer would receive it: files and doors (publint), types (are-the-types-wrong). */
export const lintPublished = async (root) => {
  const folders = await publishedFolders(root);
  const into = await mkdtemp(join(tmpdir(), 'packed-'));
  try {
    const packed = await pack(root, folders, into);
    if (packed.code !== 0) return packed;
    const tarballs = await readdir(into);
    const problems = [];
    for (const folder of folders) {
      const manifest = await manifestOf(root, folder);
      const stem = manifest.name.replace('@', '').replace('/', '-');
      const tarball = tarballs.find((file) => new RegExp(`^${stem}-\\d`).test(file));
      if (tarball === undefined) return { code: 1, output: `${folder} was not packed` };
      problems.push(...(await layoutProblems(join(into, tarball))));
      problems.push(...(await typeProblems(join(into, tarball), manifest)));
    }
    return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
  } finally {
    await rm(into, { recursive: true, force: true });
  }
};
