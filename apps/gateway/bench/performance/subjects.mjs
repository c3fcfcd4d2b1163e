import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startMeasured } from './measured-process.mjs';

const SERVERS = join(import.meta.dirname, '../servers');

/** The built command line of this application. */
export const CLI = resolve(import.meta.dirname, '../../dist/cli.js');

const tools = (name, args = {}) => ({ method: 'tools/call', params: { name, arguments: args } });

const withPath = (started) => ({ ...started, url: `${started.url}/mcp` });

/** How the rows speak to a server that has one list of tools and names them as the servers behind it do. */
export const PLAIN = {
  list: { method: 'tools/list', params: {} },
  listed: /"name":"/gu,
  call: tools('read_item_0', { id: '1' }),
};

/**
 * The gateway of this repository.
 *
 * @param cli the built `cli.js` to measure
 */
export const gatewaySubject = (cli) => ({
  id: 'gateway',
  title: 'gateway',
  command: 'node dist/cli.js serve --config-dir <folder> --port 0',
  isRequired: true,
  list: tools('list_tools', { summary: true, limit: 100_000 }),
  listed: /\bx_s\d+_|\bworkflow_w\d+/gu,
  call: tools('call_tool', { name: 'x_s0_read_item_0', arguments: { id: '1' } }),
  describe: tools('describe_tool', { name: 'x_s0_read_item_0' }),
  toolsOf: ({ tools: count, workflows }) => count + workflows,
  start: async ({ node, world }) => {
    if (!existsSync(cli)) throw new Error(`${cli} does not exist: build the gateway first`);
    const args = [cli, 'serve', '--config-dir', world.folder, '--port', '0'];
    return withPath(await startMeasured({ node, args }));
  },
});

/** Bare `node:http`, the baseline of every row; `undici` behind it for proxied calls. */
export const BARE = {
  id: 'bare',
  title: 'bare node',
  command: 'node bench/servers/bare-mcp.mjs <tools>',
  isRequired: true,
  ...PLAIN,
  toolsOf: ({ tools: count }) => count,
  /** A proxy sends on what it gets as arguments. */
  proxiedCall: tools('call_tool', { name: 'read_item_0', arguments: { id: '1' } }),
  start: ({ node, world }) =>
    startMeasured({ node, args: [join(SERVERS, 'bare-mcp.mjs'), String(world.tools)] }),
  startProxy: ({ node, world }) =>
    startMeasured({ node, args: [join(SERVERS, 'http-proxy-floor.mjs'), world.urls[0]] }),
  startInside: ({ node }) => startMeasured({ node, args: [join(SERVERS, 'floor.mjs')] }),
};
