import { existsSync, writeFileSync } from 'node:fs';
import process from 'node:process';

// Loaded into the gateway with `--import`. Measures the longest turn of the event loop as processor time of its thread, which other
// processes of the machine do not lengthen. Begins when the file LONGEST_TURN_START exists, and writes to LONGEST_TURN_RESULT.
const { LONGEST_TURN_START: start = '', LONGEST_TURN_RESULT: result = '' } = process.env;

const used = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

let longest = 0;
let reported = 0;
let isStarted = false;
let before = used();
setInterval(() => {
  const now = used();
  if (isStarted) longest = Math.max(longest, now - before);
  else isStarted = existsSync(start);
  before = used();
  if (longest <= reported) return;
  reported = longest;
  writeFileSync(result, String(longest));
  before = used();
}, 1).unref();
