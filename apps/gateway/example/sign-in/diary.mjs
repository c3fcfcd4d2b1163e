// An MCP server with a diary for each user. Requests carry access tokens of the provider; others are answered with 401.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const METADATA = '/.well-known/oauth-protected-resource';
const MAX_ENTRIES = 100;
const diaries = new Map();

const text = (value) => ({ content: [{ type: 'text', text: value }] });

/** Returns a server for one request of one user. */
const serverFor = (user) => {
  const entries = diaries.get(user) ?? [];
  const server = new McpServer({ name: 'diary', version: '1.0.0' });
  const options = { annotations: { readOnlyHint: true }, inputSchema: {} };
  server.registerTool('read', { description: 'Read the own diary', ...options }, () =>
    text(entries.length === 0 ? 'The diary is empty.' : entries.join('\n')),
  );
  server.registerTool(
    'write',
    { description: 'Add the present time to the own diary', inputSchema: {} },
    () => {
      diaries.set(user, [...entries, new Date().toISOString()].slice(-MAX_ENTRIES));
      return text(`Written to the diary of ${user}.`);
    },
  );
  return server;
};

const answer = async (request, response, user) => {
  const server = serverFor(user);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
};

const json = (response, status, value, headers = {}) =>
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(value));

/** Returns a handler that returns whether it handles a request. */
export const serveDiary = ({ issuer, resource, findToken }) => {
  const challenge = { 'www-authenticate': `Bearer resource_metadata="${issuer}${METADATA}/mcp"` };
  const serve = async (request, response) => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const found = token === undefined ? undefined : await findToken(token);
    if (found?.aud !== resource) return json(response, 401, { error: 'invalid_token' }, challenge);
    return answer(request, response, found.accountId);
  };
  return (request, response) => {
    const { pathname } = new URL(request.url, issuer);
    if (pathname.startsWith(METADATA))
      json(response, 200, {
        resource,
        authorization_servers: [issuer],
        scopes_supported: ['diary'],
      });
    else if (pathname === '/mcp') serve(request, response).catch(() => response.destroy());
    else return false;
    return true;
  };
};
