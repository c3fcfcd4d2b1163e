// Waits until the gateway is ready, then prints its servers, its URL and commands to try.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const CONNECTED = ['Running', 'Connected'];
/** Transitional states. A server in any other state gets only a short wait. */
const TRANSITIONAL = ['Starting', 'Connecting'];
const MAX_WAIT_MS = 10_000;
const SHORT_WAIT_MS = 3_000;
/** The default URL of ask.mjs. */
const DEFAULT_URL = 'http://127.0.0.1:8090';

/** Prints the example's endpoints, the portal (`page`) first. `servesAgents` returns whether agent-manager runs at `manager`; another program may use its port. */
export async function announce({ url, page, manager, alive, servesAgents }) {
  const started = performance.now();
  const waited = () => performance.now() - started;
  const patient = () => alive() && waited() < MAX_WAIT_MS;
  const worthWaiting = ({ state }) =>
    TRANSITIONAL.includes(state) || (!CONNECTED.includes(state) && waited() < SHORT_WAIT_MS);
  while (patient() && !(await isReady(url))) await pause(50);
  if (!alive()) return;

  const client = new Client({ name: 'example', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  if (!(await hasMetaTools(client))) {
    await client.close();
    console.log(nativeBanner({ url, seconds: waited() / 1000 }));
    return;
  }
  let servers = await listServers(client);
  while (patient() && servers.some(worthWaiting)) {
    await pause(50);
    servers = await listServers(client);
  }
  const tools = await ask(client, 'filter_tools', { limit: 1, include_presets: true });
  const { workflows } = await ask(client, 'call_tool', { name: 'core_workflow_list' });
  await client.close();
  const agents = servesAgents() ? manager : undefined;
  console.log(banner({ url, page, agents, servers, workflows, tools, seconds: waited() / 1000 }));
}

/** Empty with `--expose native`. */
async function hasMetaTools(client) {
  const { tools } = await client.listTools();
  return tools.some(({ name }) => name === 'call_tool');
}

function portalLines(page) {
  return page === undefined ? [] : [`Open the portal in a browser: ${page}`, ''];
}

function nativeBanner({ url, seconds }) {
  return [
    '',
    `The gateway serves its servers' own tools, resources and prompts at ${url}/mcp (ready in ${seconds.toFixed(1)} s)`,
    '',
    'One thing to try, in a second terminal:',
    '',
    `  node apps/gateway/example/ask.mjs x_everything_get-sum '{"a":2,"b":3}' --toolset preset:demo${urlOption(url)}`,
    '',
    ...closing(url),
  ].join('\n');
}

function urlOption(url) {
  return url === DEFAULT_URL ? '' : ` --url ${url}/mcp`;
}

function closing(url) {
  return [`Or point any MCP client at ${url}/mcp. Stop with Ctrl+C.`, ''];
}

function banner({ url, page, agents, servers, workflows, tools, seconds }) {
  const width = Math.max(...servers.map(({ name }) => name.length));
  return [
    '',
    ...portalLines(page),
    `The gateway serves ${tools.total_tools} tools of ${servers.length} servers at ${url}/mcp (ready in ${seconds.toFixed(1)} s)`,
    '',
    ...servers.map((server) => {
      const detail = server.error ?? `${server.toolsCount ?? 0} tools`;
      return `  ${server.name.padEnd(width)}  ${server.state.padEnd(9)}  ${detail}`;
    }),
    '',
    `  workflows: ${workflows.map(workflowLabel).join(', ')}`,
    `  presets: ${tools.presets.map(({ name }) => name).join(', ')}`,
    agents === undefined
      ? '  agents: not served, since agent-manager ended'
      : `  agents, over REST: ${agents}/api/v1/docs`,
    '',
    `${agents === undefined ? 'Four' : 'Five'} things to try, in a second terminal:`,
    '',
    ...thingsToTry(agents !== undefined).map(
      (command) => `  node apps/gateway/example/ask.mjs ${command}${urlOption(url)}`,
    ),
    '',
    ...closing(url),
  ].join('\n');
}

function thingsToTry(withAgents) {
  const always = [
    `filter_tools '{"query":"search the notes"}'`,
    'list_tools --toolset preset:demo',
    `call_tool '{"name":"x_everything_get-sum","arguments":{"a":2,"b":3}}' --toolset preset:demo`,
    `call_tool '{"name":"workflow_digest"}'`,
  ];
  const agent = `call_tool '{"name":"x_agent-manager_create_agent","arguments":{"name":"scribe","modelConfig":"small","toolset":["preset:notes","server:files"]}}'`;
  return withAgents ? [...always, agent] : always;
}

/** An invalid workflow has no tool. */
function workflowLabel({ name, valid }) {
  return valid === false ? `${name} (not valid)` : name;
}

async function listServers(client) {
  const answer = await ask(client, 'call_tool', {
    name: 'core_mcpserver_list',
    arguments: { showAll: true, verbose: true },
  });
  return answer.mcpServers;
}

async function ask(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  return JSON.parse(result.content[0].text);
}

async function isReady(url) {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
