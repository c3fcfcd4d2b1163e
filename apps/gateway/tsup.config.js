import { defineConfig } from 'tsup';
import shared, { oneFile } from '../../packages/repo-checks/tsup.program.js';

/** The command line with its thread for YAML, the program that renders large templates of workflows, and the web application of the portal. */
export default defineConfig(
  oneFile(
    {
      ...shared,
      publicDir: '../../packages/portal-web/dist',
      entry: {
        ...shared.entry,
        serving: 'src/serving.ts',
        'isolation-program': '../../packages/gateway-runtime/src/isolation/isolation-program.ts',
      },
    },
    'serving',
  ),
);
