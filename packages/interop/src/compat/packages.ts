import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { resolvePlace } from '../gateway.ts';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import process from 'node:process';
import {
  openCachedFolder,
  findProgram,
  buildGoProgram,
  PeerMissing,
  runNicely,
  runProgram,
} from '@gateway/test-peers';

/** A registry of packages. */
export type Registry = 'crates' | 'Go' | 'npm' | 'PyPI';

export interface Pinned {
  readonly registry: Registry;
  readonly package: string;
  readonly version: string;
}

const escapeName = (name: string): string => name.replaceAll(/[.[\]]/gu, '\\$&');

/** How the files that pin versions name a package. */
const PATTERNS: Readonly<Record<Registry, (name: string) => string>> = {
  npm: (name) => `^\\s*['"]?${name}['"]?: "?([0-9][^"\\s]*)"?,?$`,
  PyPI: (name) => `^${name}==(\\S+)$`,
  Go: (name) => `^\\s*(?:require )?${name} v(\\S+)$`,
  crates: (name) => `^${name}(?:==| = \\{ version = "=)([0-9.]+)`,
};

/** Returns a package at the version that a file pins. @param file relative to this package @throws when the file does not name the package */
export function readPin(registry: Registry, name: string, file: string): Pinned {
  const pattern = new RegExp(PATTERNS[registry](escapeName(name)), 'mu');
  const version = pattern.exec(readFileSync(resolvePlace(file), 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${file} does not pin ${name}`);
  return { registry, package: name, version };
}

export interface Installable {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly facts?: readonly string[];
  /** Installs into an empty folder. */
  readonly install: (folder: string) => Promise<void>;
}

/** Returns the folder in which something is installed. It is installed once for each user and for each version of its inputs. */
const installItem = (item: Installable): Promise<string> =>
  openCachedFolder(`compat-${item.name}-${toKey(item)}`, async (draft) => {
    mkdirSync(draft);
    await item.install(draft);
  });

function toKey({ inputs, facts = [] }: Installable): string {
  const hash = createHash('sha256').update(
    JSON.stringify([process.platform, process.arch, ...facts]),
  );
  for (const file of inputs.flatMap(listFiles)) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

function listFiles(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const MODULE = resolvePlace('drivers/go');

/** Builds a driver in `drivers/go` and returns its path. @throws {PeerMissing} without Go, or when the build fails */
export const buildGoDriver = (name: 'gosdk' | 'mcpgo'): Promise<string> =>
  buildGoProgram({
    name: `compat-${name}`,
    module: MODULE,
    target: `./${name}`,
    sources: ['driver/driver.go', `${name}/main.go`],
  });

/** Builds a sample of the guide and returns its path. @throws {PeerMissing} without Go, or when the build fails */
export const goSample = (name: 'gosdk' | 'mcpgo'): Promise<string> =>
  buildGoProgram({
    name: `compat-sample-${name}`,
    module: MODULE,
    target: `./samples/${name}`,
    sources: [`samples/${name}/main.go`],
  });

export const goLibraryProgram = (name: string, target: string): Promise<string> =>
  buildGoProgram({ name: `compat-${name}`, module: MODULE, target });

/** npm takes no release after this day for what the pinned packages need, so every installation is the same. A pinned version must be older. */
const RELEASED_BEFORE = '2026-11-23';
const NPM_OPTIONS = [
  ...['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'],
  `--before=${RELEASED_BEFORE}`,
];

/**
 * Installs the npm packages of a folder of `pinned/node` and returns the folder `node_modules`.
 *
 * @throws {PeerMissing} without npm, or when npm fails
 */
export async function installNodePackages(name: string): Promise<string> {
  const npm = findProgram('npm');
  if (npm === undefined) throw new PeerMissing('npm is not in PATH');
  const pinned = resolvePlace('pinned/node', name);
  const folder = await installItem({
    name: `node-${name}`,
    inputs: [pinned],
    facts: [process.versions.modules, RELEASED_BEFORE],
    install: async (draft) => {
      cpSync(pinned, draft, { recursive: true });
      await runProgram(npm, ['install', ...NPM_OPTIONS], { cwd: draft });
    },
  });
  return join(folder, 'node_modules');
}

/** The installer of Python packages. It takes seconds where pip takes minutes. */
const UV = 'uv==0.13.9';
/** Nothing but packages of the registry is downloaded. */
const ENVIRONMENT = { UV_PYTHON_DOWNLOADS: 'never', UV_NO_PROGRESS: '1' };

/**
 * Installs the packages of a file of `pinned/python` into an environment of their own.
 *
 * @returns the path of its Python
 * @throws {PeerMissing} without Python, or when the installation fails
 */
export async function installPythonPackages(name: string): Promise<string> {
  const { python, version } = await requirePython();
  const uv = await ensureUv(python, version);
  const pinned = resolvePlace('pinned/python', `${name}.txt`);
  const folder = await installItem({
    name: `python-${name}`,
    inputs: [pinned],
    facts: [version, UV],
    install: async (draft) => {
      const environment = join(draft, 'environment');
      const create = ['venv', '-q', '--relocatable', '--python', python, environment];
      await runProgram(uv, create, { env: ENVIRONMENT });
      const into = ['--python', join(environment, 'bin/python')];
      await runProgram(uv, ['pip', 'install', '-q', ...into, '-r', pinned], { env: ENVIRONMENT });
    },
  });
  return join(folder, 'environment/bin/python');
}

/** Returns the path of uv, which has `uvx` next to it. @throws {PeerMissing} without Python */
export async function installUv(): Promise<string> {
  const { python, version } = await requirePython();
  return ensureUv(python, version);
}

async function requirePython(): Promise<{ readonly python: string; readonly version: string }> {
  const python = findProgram('python3');
  if (python === undefined) throw new PeerMissing('python3 is not in PATH');
  return { python, version: (await runProgram(python, ['--version'])).trim() };
}

async function ensureUv(python: string, version: string): Promise<string> {
  const folder = await installItem({
    name: 'uv',
    inputs: [],
    facts: [version, UV],
    install: async (draft) => {
      const options = ['--quiet', '--disable-pip-version-check', '--target', draft];
      await runProgram(python, ['-m', 'pip', 'install', ...options, UV]);
    },
  });
  return join(folder, 'bin/uv');
}

async function runCargo(args: readonly string[], cwd: string): Promise<void> {
  const cargo = findProgram('cargo');
  if (cargo === undefined) throw new PeerMissing('cargo is not in PATH');
  await runNicely(cargo, args, { cwd });
}

/** A program in `drivers/rust`. */
export type RustProgram = 'compat-rmcp' | 'sample';

const RUST_PROGRAMS: readonly RustProgram[] = ['compat-rmcp', 'sample'];

/** Builds the programs in `drivers/rust` and returns the path of one. @throws {PeerMissing} without cargo, or when the build fails */
export async function buildRustProgram(name: RustProgram): Promise<string> {
  const sources = resolvePlace('drivers/rust');
  const folder = await installItem({
    name: 'rust-programs',
    inputs: [join(sources, 'Cargo.toml'), join(sources, 'src')],
    install: async (draft) => {
      // Cargo writes its lock file next to the sources.
      cpSync(sources, draft, { recursive: true });
      await runCargo(['build', '--quiet', '--release'], draft);
      mkdirSync(join(draft, 'bin'));
      for (const program of RUST_PROGRAMS)
        copyFileSync(join(draft, 'target/release', program), join(draft, 'bin', program));
      rmSync(join(draft, 'target'), { recursive: true });
    },
  });
  return join(folder, 'bin', name);
}

/** Installs a program of a crate and returns its path. @throws {PeerMissing} without cargo, or when the build fails */
export async function installCrate(name: string, version: string): Promise<string> {
  const folder = await installItem({
    name: `crate-${name}`,
    inputs: [],
    facts: [version],
    install: (draft) =>
      runCargo(
        ['install', '--quiet', '--debug', '--locked', '--version', version, '--root', '.', name],
        draft,
      ),
  });
  return join(folder, 'bin', name);
}
