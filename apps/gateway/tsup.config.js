import { defineConfig } from 'tsup';
import shared, { oneFile } from '../../packages/repo-checks/tsup.program.js';

/** The command line, the program of the processes that render large templates and parse large files, and the web application of the portal. */
export default defineConfig(
  oneFile(
    {
      ...shared,
      publicDir: '../../packages/portal-web/dist',
      entry: {
        ...shared.entry,
        serving: 'src/serving.ts',
        'worker-program': '../../packages/gateway-runtime/src/isolation/worker-program.ts',
        'watch-parent': '../../packages/gateway-runtime/src/isolation/watch-parent.ts',
        // What tinypool starts as a process, at the place that it expects beside its own code.
        'entry/process':
          '../../packages/gateway-runtime/node_modules/tinypool/dist/entry/process.js',
      },
    },
    'serving',
  ),
);
