import { defineConfig } from 'tsup';
import shared from '../../packages/repo-checks/tsup.program.js';

/** The command line with its thread for YAML, and the program that renders large templates of workflows, which the gateway starts. */
export default defineConfig({
  ...shared,
  entry: {
    ...shared.entry,
    'isolation-program': '../../packages/gateway-runtime/src/isolation/isolation-program.ts',
  },
});
