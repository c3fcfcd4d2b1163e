import { framed, resultOf } from '../framings.mjs';
import { LoadMaker } from './load-maker.mjs';
import { ask, openSession } from './mcp-client.mjs';
import { cpuMsOf } from './process-usage.mjs';
import { addRound, attempt, entriesOf, figuresOf, round } from './rounds.mjs';
import { untilComplete } from './start-rows.mjs';

const CONNECTIONS = 16;
/** After so many requests the code that serves them is compiled. */
const WARM_REQUESTS = 10_000;
const WARM_STRETCHES = 8;

/** The requests of each connection, in a session each unless the server has none. */
const taskOf = async ({ process: { url }, message, hasSessions }) => {
  const requests = [];
  while (requests.length < CONNECTIONS) {
    const headers = hasSessions ? await openSession(url) : {};
    requests.push([framed(url, message, { framing: 'sessionless', headers })]);
  }
  return { url, requests };
};

/** Returns the processor time of one request in microseconds, and how many were answered. */
const stretch = async ({ process: { pid }, task }, maker, ms) => {
  const before = cpuMsOf(pid);
  const { answered } = await maker.load({ ...task, ms });
  return { cpuUs: ((cpuMsOf(pid) - before) * 1000) / answered, answered };
};

const warmUp = async (entry, maker, ms) => {
  let seen = 0;
  for (let part = 0; part < WARM_STRETCHES && seen < WARM_REQUESTS; part += 1)
    seen += (await stretch(entry, maker, ms)).answered;
};

/** Measures one message of each subject: `prepare` starts the process of an entry and sets its message. */
const measureMessages = async (run, maker, { row, title, prepare }) => {
  const { rounds, ms } = run.times;
  const entries = entriesOf(run, (subject) => subject.unable?.(run.worlds.one, row));
  const prepareEntry = async (entry) => {
    await prepare(entry);
    entry.task = await taskOf(entry);
    await warmUp(entry, maker, ms);
  };
  try {
    for (const entry of entries) await attempt(entry, prepareEntry);
    for (let number = 1; number <= rounds; number += 1) {
      await round(entries, number, async (entry) => {
        const { cpuUs } = await stretch(entry, maker, ms);
        addRound(entry, { [row]: cpuUs });
      });
      run.report(`${title}: round ${number} of ${rounds}`);
    }
  } finally {
    maker.close();
    await Promise.all(entries.map((entry) => entry.process?.stop()));
  }
  return figuresOf(entries, [row]);
};

/** Starts a server whose tools are complete, in sessions. */
const startComplete = async (entry, world, message) => {
  const { subject, node } = entry;
  entry.process = await subject.start({ node: node.path, world });
  Object.assign(entry, { message, hasSessions: true });
  await untilComplete(entry.process, subject, world);
};

/** Measures proxied calls. */
export const measureCall = (run) =>
  measureMessages(run, new LoadMaker(), {
    row: 'call',
    title: 'proxied calls',
    prepare: async (entry) => {
      const { subject, node } = entry;
      const world = run.worlds.one;
      if (subject.startProxy === undefined) return startComplete(entry, world, subject.call);
      entry.process = await subject.startProxy({ node: node.path, world });
      entry.message = subject.proxiedCall;
    },
  });

/** Measures calls that the gateway answers itself. The baseline gives the answer that the gateway gave first. */
export const measureDescribe = (run) => {
  let result;
  return measureMessages(run, new LoadMaker(), {
    row: 'describe',
    title: 'describe_tool',
    prepare: async (entry) => {
      const { subject, node } = entry;
      if (subject.startInside === undefined) {
        await startComplete(entry, run.worlds.one, subject.describe);
        const { url } = entry.process;
        result = resultOf(`\r\n\r\n${await ask(url, await openSession(url), subject.describe)}`);
        return;
      }
      entry.process = await subject.startInside({ node: node.path });
      entry.process.tell({ prepare: { path: '/', result } });
      entry.message = subject.call;
    },
  });
};
