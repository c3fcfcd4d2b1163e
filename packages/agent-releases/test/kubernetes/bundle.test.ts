import { execFile } from 'node:child_process';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { createTestDirectory } from '@gateway/test-peers';
import { startCluster } from '../support/cluster.ts';

const SOURCES = resolve(import.meta.dirname, '../../src/kubernetes/kubernetes-store.ts');
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";
/** Without what is left out by `program/kubernetes-client.mjs`: 13.9 MB where the library is taken whole. A third is `undici`, which programs replace. */
const MAX_LIBRARY_BYTES = 3_000_000;

const PROGRAM = `
import { openKubernetesReleases } from ${JSON.stringify(SOURCES)};
if (process.argv[2] !== undefined) {
  const opened = await openKubernetesReleases({ namespaces: ['default'], kubeconfig: process.argv[2] });
  const answer = opened.ok ? await opened.store.check() : opened;
  console.log(JSON.stringify(answer));
  if (opened.ok) await opened.store.close();
}
`;

describe('the client library in a bundled program', () => {
  it('is a separate file without unused code, and works', async () => {
    const directory = await createTestDirectory();
    await writeFile(join(directory, 'program.ts'), PROGRAM);
    await build({
      entryPoints: [join(directory, 'program.ts')],
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node22',
      conditions: ['@gateway/source', 'module'],
      outdir: join(directory, 'out'),
      outExtension: { '.js': '.mjs' },
      banner: { js: REQUIRE },
      logLevel: 'error',
    });
    const out = join(directory, 'out');
    const library = (await readdir(out)).filter((file) => file.startsWith('client-library'));
    expect(library).toHaveLength(1);
    const { size } = await stat(join(out, library[0]!));
    expect(size).toBeLessThan(MAX_LIBRARY_BYTES);
    const { kubeconfig, api } = await startCluster();
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(out, 'program.mjs'),
      kubeconfig,
    ]);
    expect(JSON.parse(stdout)).toEqual({ ok: true, value: true });
    expect(api.requests).toHaveLength(1);
  });
});
