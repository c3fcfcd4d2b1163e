import { framedParts, INITIALIZE } from '../framings.mjs';

const REQUEST_MS = 20_000;
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
export const INITIALIZED = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/initialized',
});

const post = (url, body, headers = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body,
    signal: AbortSignal.timeout(REQUEST_MS),
  });

/** Returns the header lines of a session: its id, if the server gives one, and the revision that was agreed. */
export const sessionHeaders = (id, answer) => {
  const revision = /"protocolVersion":"([^"]+)"/u.exec(answer)?.[1];
  return {
    ...(id && { 'mcp-session-id': id }),
    ...(revision && { 'mcp-protocol-version': revision }),
  };
};

/** Opens a session of the 2025 revisions and returns its header lines. @throws {Error} when the server refuses */
export const openSession = async (url) => {
  const answer = await post(url, INITIALIZE);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`initialize: ${answer.status} ${text.slice(0, 200)}`);
  const headers = sessionHeaders(answer.headers.get('mcp-session-id'), text);
  await (await post(url, INITIALIZED, headers)).arrayBuffer();
  return headers;
};

/** Sends a request in a session and returns the text of its answer. */
export const ask = async (url, headers, message) => {
  const { body } = framedParts(message, { framing: 'sessionless' });
  const answer = await post(url, body, headers);
  return await answer.text();
};

/** Ends sessions, so that the next measurement begins without them. */
export const endSessions = async (url, sessions) => {
  for (const headers of sessions) {
    const answer = await fetch(url, {
      method: 'DELETE',
      headers,
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    await answer.arrayBuffer();
  }
};
