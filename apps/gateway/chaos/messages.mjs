import { TARGET_HEADER } from '../test/harness/balancer.ts';
import { framedParts } from '../bench/framings.mjs';

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const PATIENCE_MS = 30_000;

/** A request that was answered with an error, or not at all. */
export class Failed extends Error {
  /** The port of the replica that it was sent to, when known. */
  target;

  constructor(text, target) {
    super(text);
    this.target = target;
  }
}

/** Returns a call of a tool, as a client of the exposure sends it. */
export const callOf = (expose, name, args = {}) => {
  const call = { name, arguments: args };
  const params = expose === 'native' ? call : { name: 'call_tool', arguments: call };
  return { method: 'tools/call', params };
};

/** Returns a request for a page of the tools of the catalog. */
export const listOf = (expose, cursor) =>
  expose === 'native'
    ? { method: 'tools/list', params: cursor === undefined ? {} : { cursor } }
    : {
        method: 'tools/call',
        params: { name: 'list_tools', arguments: { limit: 1000, ...(cursor && { cursor }) } },
      };

const answerIn = (text) => {
  const json = text.startsWith('{') ? text : (text.match(/^data: ?(\{.*)$/gmu)?.at(-1) ?? 'null');
  return JSON.parse(json.replace(/^data: ?/u, '')) ?? {};
};

/** Sends raw parts. Returns status, headers and text. */
export const send = async (pool, { headers, body, method = 'POST' }) => {
  let target;
  try {
    const answer = await pool.request({
      ...{ path: '/mcp', method, body },
      headers: { ...HEADERS, ...headers },
      ...{ headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS },
    });
    target = answer.headers[TARGET_HEADER];
    return { ...answer, text: await answer.body.text(), target };
  } catch (error) {
    throw new Failed(`${error.code ?? ''} ${error.message}`, target);
  }
};

/** Sends a request that must have a result, and returns it. @throws {Failed} */
export const ask = async (pool, message, options) => {
  const { statusCode, text, target } = await send(pool, framedParts(message, options));
  if (statusCode !== 200) throw new Failed(`${statusCode} ${text.slice(0, 300)}`, target);
  const { result, error } = answerIn(text);
  if (result === undefined || result.isError === true)
    throw new Failed(JSON.stringify(result ?? error ?? text)?.slice(0, 500), target);
  return result;
};

/** Returns the text of a result. */
export const textOf = ({ content }) => content?.[0]?.text ?? '';
