import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

/** What a browser loads for one export: the size, and which of the groups and libraries are in it. */
const bundled = async (name: string) => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export { ${name} } from '@gateway/agent-manager-client';`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@gateway/source'],
    write: false,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  const modules = Object.entries(output?.inputs ?? {})
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path);
  const has = (part: string) => modules.some((path) => path.includes(part));
  return {
    parts: ['/zod/', '/src/client/', '/src/openapi/', '/src/reference/'].filter(has),
    kib: gzipSync(outputFiles[0]?.contents ?? '').length / 1024,
  };
};

// A module of Node would fail the build; the locales of zod alone are more than the bound.
it.each([
  ['createAgentManagerClient', 36, ['/zod/', '/src/client/']],
  ['validateToolset, formatError', 2, []],
])('is bundled for browsers with no more than it needs: %s', async (name, kib, parts) => {
  const bundle = await bundled(name);
  expect(bundle.parts).toEqual(parts);
  expect(bundle.kib).toBeLessThan(kib);
});
