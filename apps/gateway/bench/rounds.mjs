import { framed, resultOf } from './framings.mjs';
import { TOOLSET } from './gateway-process.mjs';

const IS_PROXY = /-proxy-floor$/u;

/** Gives the floor, and the SDK's stock entries, the answer that the gateway gave to the same request. */
const prepare = async (targets, scenario) => {
  const { name, floor, target } = scenario;
  if (IS_PROXY.test(floor)) return;
  const asked = target.startsWith('gateway') ? target : 'gateway';
  const task = await taskOf(targets, { ...scenario, target: asked, connections: 1, everyMs: 0 });
  const { sample } = await targets.load({ ...task, ms: 0 });
  const { resultType: _type, _meta, ...result } = resultOf(sample);
  const path = pathOf(scenario);
  for (const server of [floor, target]) {
    if (!server.startsWith('gateway')) {
      (await targets.get(server)).tell({ prepare: { path, name, result } });
    }
  }
};

const pathOf = ({ name, target, toolset, framing }) =>
  `/${encodeURIComponent([name, target, toolset, framing].join(' '))}`;

/** The requests of a scenario to its own server, for each connection. */
const taskOf = async (targets, { target, framing, connections, toolset, messages, everyMs }) => {
  const { url } = await targets.get(target);
  const sessions = framing === 'session' ? await targets.sessions(target, connections) : [];
  const headers = toolset ? TOOLSET : {};
  const requests = Array.from({ length: connections }, (_, index) =>
    messages.map((message) => framed(url, message, { framing, session: sessions[index], headers })),
  );
  return { url, requests, everyMs };
};

/** The same load on the floor. */
const floorTaskOf = async (targets, scenario) => {
  const { floor, messages, connections, everyMs } = scenario;
  const { url } = await targets.get(floor);
  const at = IS_PROXY.test(floor) ? url : url + pathOf(scenario);
  const texts = messages.map((message) =>
    framed(at, message.proxied ?? message, { framing: 'sessionless' }),
  );
  return { url, requests: Array.from({ length: connections }, () => texts), everyMs };
};

/** One stretch of load on one server: what the client saw, and the processor time that the server took. */
export const stretch = async (targets, name, task) => {
  const { ask } = await targets.get(name);
  const before = await ask('usage');
  const figures = await targets.load(task);
  const used = (await ask('usage')) - before;
  if (figures.failed > 0) throw new Error(`${name}: ${figures.failed} failed answers`);
  resultOf(figures.sample);
  return {
    perSecond: figures.answered / figures.seconds,
    cpuUs: used / figures.answered,
    p50: figures.p50,
    p99: figures.p99,
    bytes: figures.bytes,
    answered: figures.answered,
  };
};

/** After so many requests the code that serves them is compiled. */
const WARM_REQUESTS = 4_000;

/** Loads a server until it has seen enough, or for six times `ms`. */
const warmUp = async (targets, name, task, ms) => {
  let seen = 0;
  for (let part = 0; part < 6 && seen < WARM_REQUESTS; part += 1) {
    const { answered } = await stretch(targets, name, { ...task, everyMs: 0, ms });
    seen += answered;
  }
};

/** Prepares a scenario and warms its two servers up. */
export const ready = async (targets, scenario, warmMs) => {
  await prepare(targets, scenario);
  const own = await taskOf(targets, scenario);
  const floor = await floorTaskOf(targets, scenario);
  await warmUp(targets, scenario.floor, floor, warmMs);
  await warmUp(targets, scenario.target, own, warmMs);
  return { scenario, own, floor, rounds: [] };
};

/** The floor and the server one right after the other, now this and now that first. */
const measurePair = async (targets, { scenario, own, floor, rounds }, ms) => {
  const pair = {};
  const steps = [
    async () => (pair.floor = await stretch(targets, scenario.floor, { ...floor, ms })),
    async () => (pair.own = await stretch(targets, scenario.target, { ...own, ms })),
  ];
  if (rounds.length % 2 === 1) steps.reverse();
  for (const step of steps) await step();
  rounds.push(pair);
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Medians over the rounds; a ratio is taken within each round before its median is. */
const rowOf = ({ scenario, rounds }) => {
  const { name, target, framing, connections, toolset, everyMs } = scenario;
  const over = (figure) => median(rounds.map(figure));
  return {
    ...{ name, target, framing, connections, toolset, everyMs },
    perSecond: over(({ own }) => own.perSecond),
    shareOfFloor: over(({ own, floor }) => own.perSecond / floor.perSecond),
    cpuUs: over(({ own }) => own.cpuUs),
    floorCpuUs: over(({ floor }) => floor.cpuUs),
    cpuOverFloor: over(({ own, floor }) => own.cpuUs / floor.cpuUs),
    p50Ms: over(({ own }) => own.p50),
    p99Ms: over(({ own }) => own.p99),
    p99AddedMs: over(({ own, floor }) => own.p99 - floor.p99),
    bytes: over(({ own }) => own.bytes),
  };
};

/**
 * Measures scenarios in interleaved rounds.
 *
 * @param times `rounds`, and the milliseconds of each stretch: `warmMs`, `ms`
 * @param onProgress is called after each round
 */
export const measure = async (targets, scenarios, { rounds, warmMs, ms }, onProgress) => {
  const prepared = [];
  for (const scenario of scenarios) prepared.push(await ready(targets, scenario, warmMs));
  for (let round = 1; round <= rounds; round += 1) {
    for (const one of prepared) await measurePair(targets, one, ms);
    onProgress(`round ${round} of ${rounds}`);
  }
  return prepared.map(rowOf);
};
