import { existsSync } from 'node:fs';
import { defineConfig } from 'tsup';

/** One build for every package: ESM for Node 20, and types where there is a public door. */
export default defineConfig({
  entry: ['src/index.ts', 'src/cli.ts'].filter((file) => existsSync(file)),
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  sourcemap: true,
  clean: true,
  treeshake: false,
  splitting: true,
  dts: existsSync('src/index.ts') ? { entry: 'src/index.ts' } : false,
});
