import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startService } from './child-service.mjs';
import { latencyFigures } from './latency-figures.mjs';

const GATEWAY = resolve(import.meta.dirname, '../../gateway/dist/cli.js');
const TOOL = 'x_agent-manager_list_agents';

const registration = (url) =>
  JSON.stringify({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'MCPServer',
    metadata: { name: 'agent-manager' },
    spec: { type: 'streamable-http', url: `${url}/mcp`, autoStart: true },
  });

const call = async (client, name) => {
  const start = performance.now();
  const result = await client.callTool({
    name,
    arguments: name === 'call_tool' ? { name: TOOL } : {},
  });
  if (result.isError) throw new Error(result.content[0].text);
  return { ms: performance.now() - start, bytes: result.content[0].text.length };
};

const latenciesOf = async (url, name, rounds) => {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  const latencies = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const answer = await call(client, name);
    latencies.push(answer.ms);
    bytes = answer.bytes;
  }
  await client.close();
  return { ...latencyFigures(latencies), bytes };
};

/** Measures the latency of MCP calls for the list of all agents: at agent-manager itself, and through the gateway. */
export const listThroughGateway = async (url, rounds) => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-manager-bench-gateway-'));
  mkdirSync(join(directory, 'mcpservers'));
  writeFileSync(join(directory, 'mcpservers/agent-manager.yaml'), registration(url));
  const gateway = await startService(GATEWAY, ['--config-dir', directory]);
  try {
    // It is ready when each server was tried once; the list of tools follows the connection.
    await wait(300);
    return {
      mcp: await latenciesOf(url, 'list_agents', rounds),
      gateway: await latenciesOf(gateway.url, 'call_tool', rounds),
    };
  } finally {
    await gateway.stop();
    rmSync(directory, { recursive: true, force: true });
  }
};
