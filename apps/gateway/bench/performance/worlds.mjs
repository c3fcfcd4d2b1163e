import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMeasured } from './measured-process.mjs';

const DOWNSTREAM = join(import.meta.dirname, '../servers/instant-http.mjs');

/** The two configurations that are measured: servers, tools of all of them, and workflows. */
const WORLDS = [
  { id: 'one', servers: 1, tools: 100, workflows: 0 },
  { id: 'many', servers: 81, tools: 300, workflows: 150 },
];

const manifest = (kind, name, spec) =>
  JSON.stringify({ apiVersion: 'gateway.internal/v1alpha1', kind, metadata: { name }, spec });

const workflow = (index, { servers }) =>
  manifest('Workflow', `w${index}`, {
    description: `Reads an item of two services, number ${index}`,
    args: { id: { type: 'string', required: true, description: 'The item' } },
    steps: [index % servers, (index + 1) % servers].map((server, step) => ({
      id: `step${step}`,
      tool: `x_s${server}_read_item_0`,
      args: { id: '{{ .input.id }}' },
    })),
  });

/** Writes the configuration directory of a gateway. */
const configurationOf = (world, urls) => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-performance-'));
  for (const name of ['mcpservers', 'workflows']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'config.yaml'), 'http: {maxSessions: 5000}\n');
  for (const [index, url] of urls.entries()) {
    const spec = { autoStart: true, type: 'streamable-http', url };
    writeFileSync(
      join(folder, `mcpservers/s${index}.yaml`),
      manifest('MCPServer', `s${index}`, spec),
    );
  }
  for (let index = 0; index < world.workflows; index += 1)
    writeFileSync(join(folder, `workflows/w${index}.yaml`), workflow(index, world));
  return folder;
};

const startWorld = async (world) => {
  const { servers, tools } = world;
  const each = Math.floor(tools / servers);
  const args = [DOWNSTREAM, servers, each, tools - each * servers].map(String);
  const { url, stop } = await startMeasured({ node: process.execPath, args });
  const urls = Array.from({ length: servers }, (_, index) => `${url}/s${index}/mcp`);
  const folder = configurationOf(world, urls);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  return { ...world, urls, folder, stop: () => stop().finally(remove) };
};

/** Starts the servers behind the measured processes and writes the configurations, by id. */
export const startWorlds = async () => {
  const worlds = {};
  for (const world of WORLDS) worlds[world.id] = await startWorld(world);
  return worlds;
};
