import { existsSync, readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

const isPublished = JSON.parse(readFileSync('package.json', 'utf8')).private !== true;

/** `npm start` and the quick tests build programs only. Their build leaves the declarations of an earlier one in place. */
const hasDeclarations = process.env.GATEWAY_DECLARATIONS !== 'off';

/** The build of every package: ESM for Node 22, and declarations where it is published. The workspace itself is compiled from sources. */
export default defineConfig({
  entry: ['src/index.ts', 'src/cli.ts'].filter((file) => existsSync(file)),
  format: ['esm'],
  target: 'node22',
  platform: 'node',
  sourcemap: true,
  clean: hasDeclarations,
  treeshake: false,
  splitting: true,
  dts: isPublished && hasDeclarations ? { entry: 'src/index.ts' } : false,
});
