/** The ways in which a client of each era frames the same request, as bytes of HTTP. */

export const REVISION = '2026-07-28';
const PREFIX = 'io.modelcontextprotocol';
const ENVELOPE = { [`${PREFIX}/protocolVersion`]: REVISION, [`${PREFIX}/clientCapabilities`]: {} };

const modernHeaders = ({ method, params }) => ({
  'mcp-protocol-version': REVISION,
  'mcp-method': method,
  ...(params.name !== undefined && { 'mcp-name': params.name }),
});

/** The header lines and members of `params` that each framing adds to a message. */
const FRAMINGS = {
  /** 2025 revisions with a session. */
  session: (_message, session) => ({
    headers: { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
    params: {},
  }),
  /** 2025 revisions, each request for itself. */
  sessionless: () => ({ headers: { 'mcp-protocol-version': '2025-11-25' }, params: {} }),
  /** 2026-07-28: one envelope per request, mirrored in headers. */
  modern: (message) => ({ headers: modernHeaders(message), params: { _meta: ENVELOPE } }),
};

/** One `POST` as it goes over the wire. */
export const httpRequest = (url, body, headers = {}) => {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({
    host,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(body),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
};

/**
 * A JSON-RPC request in a framing: header lines and body.
 *
 * @param message `method`, and `params` without `_meta`
 */
export const framedParts = (message, { framing, session, headers = {}, progressToken }) => {
  const added = FRAMINGS[framing](message, session);
  const meta = { ...added.params._meta, ...(progressToken !== undefined && { progressToken }) };
  const params = { ...message.params, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
  return {
    headers: { ...added.headers, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: message.method, params }),
  };
};

/** A JSON-RPC request in a framing, as it goes over the wire. */
export const framed = (url, message, options) => {
  const { headers, body } = framedParts(message, options);
  return httpRequest(url, body, headers);
};

export const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
});

/** Opens sessions of the 2025 revisions and gives their ids. */
export const openSessions = async (url, count) => {
  const ids = [];
  while (ids.length < count) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: INITIALIZE,
    });
    await answer.arrayBuffer();
    ids.push(answer.headers.get('mcp-session-id'));
  }
  return ids;
};

/** The `result` of an answer as it came over the wire, in JSON or as the last event; throws when it is an error. */
export const resultOf = (answer) => {
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  const json = body.match(/^(?:data: ?)?\{.*\}$/gmu)?.at(-1) ?? 'null';
  const { result, error } = JSON.parse(json.replace(/^data: ?/u, '')) ?? {};
  if (result === undefined || result.isError === true) {
    throw new Error(`a refused answer: ${JSON.stringify(result ?? error)?.slice(0, 500)}`);
  }
  return result;
};
