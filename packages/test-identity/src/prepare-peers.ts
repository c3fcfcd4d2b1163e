import { dexProgram } from './peers/dex-program.ts';
import { browserProgram } from './peers/browser-program.ts';
import { redisProgram } from './peers/redis-program.ts';

/**
 * Makes the peers ready that long tests start, and prints one JSON object: a reason for each peer that this machine cannot have, by the
 * name that test files have in their file names.
 */
const PEERS = { dex: dexProgram, redis: redisProgram, browser: browserProgram };

const missing: Record<string, string> = {};
for (const [name, find] of Object.entries(PEERS)) {
  try {
    await find();
  } catch (error) {
    missing[name] = error instanceof Error ? error.message : String(error);
  }
}
process.stdout.write(`${JSON.stringify(missing)}\n`);
