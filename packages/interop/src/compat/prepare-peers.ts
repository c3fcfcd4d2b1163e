import process from 'node:process';
import { reportMissing } from '@gateway/test-peers';
import { PEERS } from './peers.ts';

await reportMissing(PEERS, process.argv.slice(2));
