// Loaded into every server under test by `--import`: answers over IPC what its process has used, and profiles it.
import cluster from 'node:cluster';
import { Session } from 'node:inspector/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { allocatedBytes, selfTimes } from './self-times.mjs';

const profiler = new Session();

const answers = {
  /** Microseconds of user and system time since the start of the process. */
  usage: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  /** Bytes held after garbage was collected. */
  memory: async () => {
    for (let round = 0; round < 3; round += 1) {
      globalThis.gc();
      await turn();
    }
    const { rss, heapUsed, external } = process.memoryUsage();
    return { rss, heapUsed, external };
  },
  rss: () => process.memoryUsage.rss(),
  startProfile: async () => {
    profiler.connect();
    await profiler.post('Profiler.enable');
    await profiler.post('Profiler.setSamplingInterval', { interval: 200 });
    await profiler.post('Profiler.start');
  },
  stopProfile: async () => {
    const { profile } = await profiler.post('Profiler.stop');
    profiler.disconnect();
    return selfTimes(profile);
  },
  startAllocations: async () => {
    profiler.connect();
    await profiler.post('HeapProfiler.startSampling', {
      samplingInterval: 4_096,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
  },
  stopAllocations: async () => {
    const { profile } = await profiler.post('HeapProfiler.stopSampling');
    profiler.disconnect();
    return allocatedBytes(profile);
  },
};

if (process.send && !cluster.isWorker) {
  process.on('message', async ({ ask, question }) => {
    if (Object.hasOwn(answers, ask ?? '')) {
      process.send({ answerTo: question, value: await answers[ask]() });
    }
  });
  // The measuring process has ended, so this process ends too.
  process.once('disconnect', () => process.exit());
  process.channel.unref();
}
