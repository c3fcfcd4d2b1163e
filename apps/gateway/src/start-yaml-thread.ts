import { Worker } from 'node:worker_threads';

const MAX_HEAP_MIB = 512;

/** Starts the thread that parses large files. The build writes its program next to this one. */
export const startYamlThread = (): Worker =>
  new Worker(new URL('./yaml-thread.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    // Options and variables of the gateway have no meaning in the thread.
    argv: [],
    env: {},
    stdin: false,
  });
