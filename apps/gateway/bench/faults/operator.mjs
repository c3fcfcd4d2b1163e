import { setTimeout as wait } from 'node:timers/promises';
import { framedParts } from '../framings.mjs';

const LOOK_MS = 15;

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** Repeats an attempt until it stops throwing; throws its last error once `withinMs` are over. */
export const eventually = async (attempt, withinMs = 15_000) => {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
      await wait(LOOK_MS);
    }
  }
};

/** The operator of a gateway, with its core tools. `session`: of the 2025 revisions. */
export const operatorOf = (url, session) => {
  const call = async (name, args = {}) => {
    const message = {
      method: 'tools/call',
      params: { name: 'call_tool', arguments: { name, arguments: args } },
    };
    const framing = session === undefined ? 'sessionless' : 'session';
    const { headers, body } = framedParts(message, { framing, session });
    const answer = await fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body });
    const text = await answer.text();
    const json = text.startsWith('{') ? text : (text.match(/^data: ?(\{.*)$/gmu)?.at(-1) ?? text);
    const { result, error } = JSON.parse(json.replace(/^data: ?/u, ''));
    if (result === undefined) throw new Error(`${answer.status} ${JSON.stringify(error)}`);
    return result;
  };
  const textOf = async (name, args) => (await call(name, args)).content[0].text;
  const info = async (name) => JSON.parse(await textOf('core_mcpserver_get', { name }));
  return {
    call,
    textOf,
    info,
    /** Oldest first; of equal ones only one. */
    events: async (resourceName) => {
      const text = await textOf('core_events', { resourceName, limit: 1000 });
      return JSON.parse(text).toReversed();
    },
    /** Waits until a server has this state and returns its description. */
    until: (name, wanted, withinMs) =>
      eventually(async () => {
        const now = await info(name);
        for (const [key, value] of Object.entries(wanted))
          if (now[key] !== value)
            throw new Error(`${name} is ${JSON.stringify(now)}, not ${JSON.stringify(wanted)}`);
        return now;
      }, withinMs),
  };
};
