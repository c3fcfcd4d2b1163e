import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installPeer, pinnedVersion } from './install-peer.mjs';
import { startMeasured } from './measured-process.mjs';
import { PLAIN } from './subjects.mjs';

const SERVERS = join(import.meta.dirname, '../servers');
const STDIO = join(SERVERS, 'instant-stdio.mjs');

const NO_META_TOOLS = 'it has no meta-tools';
const ONE_SERVER = 'it carries one server';

const called = (name) => ({
  method: 'tools/call',
  params: { name, arguments: { id: '1' } },
});

const peer = (own) => ({
  ...PLAIN,
  toolsOf: ({ tools }) => tools,
  nodes: [24],
  unable: (_world, row) => (row === 'describe' ? NO_META_TOOLS : undefined),
  ...own,
});

/** A peer that carries one stdio server. */
const bridge = (own) =>
  peer({
    note: 'The server behind it is a stdio server, whose processor time does not count.',
    unable: ({ id }, row) => {
      if (row === 'describe') return NO_META_TOOLS;
      return id === 'many' ? ONE_SERVER : undefined;
    },
    ...own,
  });

const withPath = (started) => ({ ...started, url: `${started.url}/mcp` });

/** Starts a program of an installed peer. It listens on another port than the given one: see `preload/loopback.cjs`. */
const startPeer = async (node, args) => withPath(await startMeasured({ node, args, isPeer: true }));

const WITHOUT_WORKFLOWS = 'It has no workflows: with 81 servers it carries the 300 tools only.';

const oneMcp = (modules) =>
  peer({
    id: '1mcp',
    title: '1MCP',
    note: WITHOUT_WORKFLOWS,
    command: '1mcp serve --transport http --port <port> --config <file>',
    call: called('s0_1mcp_read_item_0'),
    start: ({ node, world }) => {
      const config = join(world.folder, '1mcp.json');
      const servers = world.urls.map((url, index) => [`s${index}`, { type: 'http', url }]);
      writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
      const file = join(modules, '@1mcp/agent/build/index.js');
      const args = ['serve', '--transport', 'http', '--port', '3050', '--config', config];
      return startPeer(node, [file, ...args]);
    },
  });

const mcpProxy = (modules) =>
  bridge({
    id: 'mcp-proxy',
    title: 'mcp-proxy',
    command: 'mcp-proxy --server stream --port <port> -- node bench/servers/instant-stdio.mjs 100',
    start: ({ node, world }) => {
      const file = join(modules, 'mcp-proxy/dist/bin/mcp-proxy.mjs');
      const behind = [process.execPath, STDIO, String(world.tools)];
      return startPeer(node, [file, '--server', 'stream', '--port', '8080', '--', ...behind]);
    },
  });

const supergateway = (modules) =>
  bridge({
    id: 'supergateway',
    title: 'supergateway',
    note: 'It starts a stdio server for each session. Their processor time and memory do not count.',
    command:
      'supergateway --stdio "node bench/servers/instant-stdio.mjs 100" --outputTransport streamableHttp --stateful --port <port> --logLevel none',
    start: ({ node, world }) => {
      const file = join(modules, 'supergateway/dist/index.js');
      const behind = `"${process.execPath}" "${STDIO}" ${world.tools}`;
      const output = ['--outputTransport', 'streamableHttp', '--stateful'];
      const listen = ['--port', '8000', '--logLevel', 'none'];
      return startPeer(node, [file, '--stdio', behind, ...output, ...listen]);
    },
  });

/** The 40-line proxy of `servers/sdk-proxy.mjs`. The SDK is installed with this project, for its tests. */
const sdkProxy = () =>
  peer({
    id: 'sdk-proxy',
    title: "SDK's stock proxy",
    note: WITHOUT_WORKFLOWS,
    command: 'node bench/servers/sdk-proxy.mjs <url of each server>',
    call: called('s0_read_item_0'),
    start: ({ node, world }) =>
      startMeasured({ node, args: [join(SERVERS, 'sdk-proxy.mjs'), ...world.urls] }),
  });

const pinnedHere = (name) => join(import.meta.dirname, 'pinned', name);
/** The compatibility suite installs the same program. */
const pinnedByCompat = (name) =>
  resolve(import.meta.dirname, '../../../../packages/interop/pinned/node', name);

/** The peers, and the folder that pins the packages of each. */
const PEERS = [
  { package: '@1mcp/agent', pinned: pinnedHere('1mcp'), create: oneMcp },
  { package: '@modelcontextprotocol/sdk', create: sdkProxy },
  { package: 'mcp-proxy', pinned: pinnedHere('mcp-proxy'), create: mcpProxy },
  { package: 'supergateway', pinned: pinnedByCompat('supergateway'), create: supergateway },
];

/**
 * Returns the peers, installed from npm. One that cannot be installed has the reason in place of its figures.
 *
 * @param report is called with a line for each installation
 */
export const installedPeers = async (report) => {
  const peers = [];
  for (const { package: name, pinned, create } of PEERS) {
    const version = pinnedVersion(name, pinned);
    try {
      const modules = pinned && (await installPeer(pinned, report));
      peers.push({ ...create(modules), package: name, version });
    } catch (error) {
      peers.push({ ...create(''), package: name, version, unable: () => error.message });
    }
  }
  return peers;
};
