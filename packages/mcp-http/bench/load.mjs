import { connect } from 'node:net';

/**
 * A load generator that costs little: every connection sends the same bytes again and again, and since every answer to
 * them is equally long, it only counts bytes. The first and the last answer of each connection are read and checked.
 */

const HEAD_END = '\r\n\r\n';

/** A request as bytes, kept alive. */
export const requestBytes = (url, headers, body) => {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({
    host,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(body),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`POST ${pathname} HTTP/1.1`, ...lines, '', body].join('\r\n'));
};

/** Length of the whole answer at the start of `bytes`; `undefined` while it cannot be known. */
const answerLength = (bytes) => {
  const head = bytes.indexOf(HEAD_END);
  if (head < 0) return undefined;
  const text = bytes.toString('latin1', 0, head);
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  if (length !== undefined) return head + HEAD_END.length + Number(length);
  if (!/transfer-encoding: chunked/i.test(text)) throw new Error(`no length: ${text}`);
  const end = bytes.indexOf('\r\n0\r\n\r\n', head);
  return end < 0 ? undefined : end + 7;
};

const checkAnswer = (bytes) => {
  const text = bytes.toString('latin1');
  if (!text.startsWith('HTTP/1.1 200 ') || !text.includes('"result":')) {
    throw new Error(`refused: ${text.slice(0, 500)}`);
  }
};

/** Sends on one connection until `until`, and gives the milliseconds that each answer took. */
const drive = ({ port, bytes, until, latencies }) =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let expected;
    let received = 0;
    let first = [];
    let started = 0;
    const send = () => {
      started = performance.now();
      received = 0;
      socket.write(bytes);
    };
    const onAnswer = (chunk) => {
      const now = performance.now();
      latencies.push(now - started);
      if (now < until) {
        send();
        return;
      }
      if (expected === chunk.length) checkAnswer(chunk);
      socket.destroy();
      resolve();
    };
    socket.once('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      received += chunk.length;
      if (expected !== undefined) {
        if (received > expected) reject(new Error('answers differ in length'));
        if (received === expected) onAnswer(chunk);
        return;
      }
      first.push(chunk);
      const whole = Buffer.concat(first);
      expected = answerLength(whole);
      if (expected === undefined || received < expected) {
        expected = undefined;
        return;
      }
      first = [];
      checkAnswer(whole);
      onAnswer(chunk);
    });
  });

const rank = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/**
 * Loads one address.
 *
 * @returns answers per second and milliseconds per answer
 */
export const load = async ({ url, headers, body, connections, seconds }) => {
  const { port } = new URL(url);
  const bytes = requestBytes(url, headers, body);
  const latencies = [];
  const start = performance.now();
  const until = start + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, () => drive({ port, bytes, until, latencies })),
  );
  const elapsed = (performance.now() - start) / 1_000;
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    answers: sorted.length,
    perSecond: sorted.length / elapsed,
    p50: rank(sorted, 0.5),
    p99: rank(sorted, 0.99),
  };
};
