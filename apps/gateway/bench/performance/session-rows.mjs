import { httpRequest, INITIALIZE } from '../framings.mjs';
import { SocketClient } from '../socket-client.mjs';
import { endSessions, INITIALIZED, sessionHeaders } from './mcp-client.mjs';
import { cpuMsOf } from './process-usage.mjs';
import { addRound, attempt, entriesOf, figuresOf, round } from './rounds.mjs';

const CONNECTIONS = 8;
const SESSIONS = 1_000;
const MAX_MS = 2_000;
const WARM_STRETCHES = 4;
const ANSWER_MS = 20_000;

const ID = /^mcp-session-id: *(\S+)/imu;

/** One connection: `send` resolves to the text of the answer. */
const connection = (url) => {
  let settle;
  const client = new SocketClient(
    new URL(url),
    (status, _bytes, text) =>
      status < 300 ? settle.resolve(text) : settle.reject(new Error(`answered ${text}`)),
    (error) => settle?.reject(error),
  );
  const send = (body, headers) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer in 20 s')), ANSWER_MS);
      const once = (then) => (value) => {
        clearTimeout(timer);
        then(value);
      };
      settle = { resolve: once(resolve), reject: once(reject) };
      client.send(httpRequest(url, body, headers), true);
    });
  return { send, close: () => client.close() };
};

/** Opens sessions one after the other on one connection until there are enough, or the time is over. */
const openOn = async (url, opened, deadline) => {
  const { send, close } = connection(url);
  try {
    while (opened.length < SESSIONS && performance.now() < deadline) {
      const answer = await send(INITIALIZE);
      const headers = sessionHeaders(ID.exec(answer)?.[1], answer);
      opened.push(headers);
      await send(INITIALIZED, headers);
    }
  } finally {
    close();
  }
};

/** Opens sessions, and ends them outside of the measurement. Returns the processor time of one in microseconds. */
const stretch = async ({ process: { pid, url } }) => {
  const opened = [];
  const before = cpuMsOf(pid);
  const deadline = performance.now() + MAX_MS;
  await Promise.all(Array.from({ length: CONNECTIONS }, () => openOn(url, opened, deadline)));
  const usedMs = cpuMsOf(pid) - before;
  if (opened.length === 0) throw new Error('no session was opened');
  await endSessions(url, opened);
  return (usedMs * 1000) / opened.length;
};

const startEntry = (world) => async (entry) => {
  entry.process = await entry.subject.start({ node: entry.node.path, world });
  for (let number = 0; number < WARM_STRETCHES; number += 1) await stretch(entry);
};

/** Measures the opening of sessions. */
export const measureSession = async (run) => {
  const world = run.worlds.one;
  const entries = entriesOf(run, (subject) => subject.unable?.(world, 'session'));
  try {
    for (const entry of entries) await attempt(entry, startEntry(world));
    for (let number = 1; number <= run.times.rounds; number += 1) {
      await round(entries, number, async (entry) =>
        addRound(entry, { session: await stretch(entry) }),
      );
      run.report(`opening sessions: round ${number} of ${run.times.rounds}`);
    }
  } finally {
    await Promise.all(entries.map((entry) => entry.process?.stop()));
  }
  return figuresOf(entries, ['session']);
};
