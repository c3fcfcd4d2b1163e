// Loaded into the gateway by `--import`: reports the number of timers over IPC and changes its clock.
import { queryObjects } from 'node:v8';

const wallClock = Date.now;
let shiftMs = 0;
Date.now = () => wallClock() + shiftMs;

const Timeout = setTimeout(() => undefined, 0).constructor;

const answers = {
  /** Timers that anything still refers to, whether they keep the process running or not. */
  timers: () => queryObjects(Timeout, { format: 'count' }),
  'clock forward': () => (shiftMs = 3_600_000),
  'clock back': () => (shiftMs = -3_600_000),
  'clock right': () => (shiftMs = 0),
};

process.on('message', ({ ask, question }) => {
  if (Object.hasOwn(answers, ask ?? ''))
    process.send({ answerTo: question, value: answers[ask]() });
});
process.channel.unref();
