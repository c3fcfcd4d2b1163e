import { reportMissing } from '@gateway/test-peers';
import { browserProgram } from './peers/browser-program.ts';
import { dexProgram } from './peers/dex-program.ts';
import { haproxyProgram } from './peers/haproxy-program.ts';
import { redisProgram } from './peers/redis-program.ts';

const PEERS = {
  dex: dexProgram,
  redis: redisProgram,
  haproxy: haproxyProgram,
  browser: browserProgram,
};

await reportMissing(PEERS, process.argv.slice(2));
