// The process that makes the load: takes one task at a time over IPC and answers with its figures.
import { SocketClient } from './socket-client.mjs';

const rank = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

const figuresOf = ({ latencies, bytes, failed, sample }, seconds) => {
  const sorted = Float64Array.from(latencies).sort();
  const answered = sorted.length;
  return {
    answered,
    failed,
    seconds,
    bytes: Math.round(bytes / answered),
    p50: rank(sorted, 0.5),
    p99: rank(sorted, 0.99),
    sample,
  };
};

/** In a text, the place of a number that no other request has. */
const COUNTER = '#######';
let counted = 0;

/** Returns the texts in rotation, each with a unique number in its placeholder. */
const textSource = (texts) => {
  const parts = texts.map((text) => text.split(COUNTER));
  let sent = 0;
  return () => {
    const [head, tail] = parts[sent % parts.length];
    sent += 1;
    if (tail === undefined) return head;
    counted += 1;
    return head + String(counted).padStart(COUNTER.length, '0') + tail;
  };
};

/**
 * Sends the texts of `requests[n]` on connection n, one after the other and again from the first, for `ms`:
 * the next one as soon as the last one was answered or, with `everyMs`, at that pace.
 *
 * Without a pace it does not sleep between answers. The system charges the time to wake a sleeping reader to the process that writes, and only a
 * server that is slower than this client meets a sleeping one.
 */
const run = ({ url, requests, ms, everyMs = 0 }) =>
  new Promise((resolve, reject) => {
    const seen = { latencies: [], bytes: 0, failed: 0, sample: undefined };
    const start = performance.now();
    let open = requests.length;
    let polling;
    const poll = () => {
      polling = setImmediate(poll);
    };
    if (everyMs === 0) poll();
    const lane = (texts, index) => {
      const next = textSource(texts);
      let sentAt = 0;
      const send = () => {
        sentAt = performance.now();
        client.send(next(), index === 0 && seen.sample === undefined);
      };
      const client = new SocketClient(
        new URL(url),
        (status, bytes, text) => {
          const now = performance.now();
          seen.latencies.push(now - sentAt);
          seen.bytes += bytes;
          seen.sample ??= text;
          if (status !== 200) seen.failed += 1;
          if (now - start < ms) return everyMs === 0 ? send() : setTimeout(send, everyMs);
          client.close();
          open -= 1;
          if (open > 0) return undefined;
          clearImmediate(polling);
          return resolve(figuresOf(seen, (now - start) / 1000));
        },
        (problem) => {
          clearImmediate(polling);
          reject(problem);
        },
      );
      if (everyMs === 0) send();
      else setTimeout(send, (everyMs * index) / requests.length);
    };
    for (const [index, texts] of requests.entries()) lane(texts, index);
  });

process.on('message', async ({ task }) => {
  try {
    process.send({ figures: await run(task) });
  } catch (error) {
    process.send({ problem: error instanceof Error ? error.message : String(error) });
  }
});
process.once('disconnect', () => process.exit());
