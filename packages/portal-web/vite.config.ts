import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const COMPRESSIBLE = /\.(css|js|svg)$/;
const SOURCES = '@gateway/source';

const compressFile = async (path: string): Promise<void> => {
  const text = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(text, { params }));
  await writeFile(
    `${path}.gz`,
    await promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION }),
  );
};

/** Writes compressed copies beside the files, so that the backend compresses nothing. */
const compressedCopies: Plugin = {
  name: 'compressed-copies',
  apply: 'build',
  writeBundle: async ({ dir = 'dist' }) => {
    const assets = join(dir, 'assets');
    const names = await readdir(assets);
    await Promise.all(
      names
        .filter((name) => COMPRESSIBLE.test(name))
        .map((name) => compressFile(join(assets, name))),
    );
  },
};

const COMPILED_VALIDATOR = '@rjsf/validator-ajv8';

/** A test file in the index of the form library names a validator that compiles schemas to code. The page's policy forbids it, and nothing calls it. */
const noCompiledValidator: Plugin = {
  name: 'no-compiled-validator',
  resolveId: (id) => (id === COMPILED_VALIDATOR ? `\0${id}` : undefined),
  load: (id) => (id === `\0${COMPILED_VALIDATOR}` ? 'export default {};' : undefined),
};

export default defineConfig({
  // Addresses are relative to the page's base, which the backend sets to the path prefix.
  base: './',
  html: { cspNonce: '__NONCE__' },
  plugins: [react(), compressedCopies, noCompiledValidator],
  resolve: { conditions: [SOURCES, 'browser', 'module', 'import', 'default'] },
  build: {
    outDir: 'dist/web',
    target: 'es2023',
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: { polyfill: false },
    // The sizes of the first load are a test; the form is one large chunk that is loaded when it is needed.
    chunkSizeWarningLimit: 1_000,
  },
});
