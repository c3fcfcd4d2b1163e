import { chmodSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { configVolume } from '../images/config-volume.ts';
import { contained, give, type Contained } from '../images/contained.ts';
import { imageTree, type ImageTree } from '../images/image-tree.ts';

let tree: ImageTree;
beforeAll(() => {
  tree = imageTree('gateway');
}, 600_000);
afterAll(() => {
  tree.remove();
});

const server = (name: string): string => `apiVersion: gateway.internal/v1alpha1
kind: MCPServer
metadata:
  name: ${name}
spec:
  type: stdio
  command: mcp-server-memory
  autoStart: true
`;

/** The names of the tools that the gateway lists. */
async function toolsOf({ url }: Contained): Promise<readonly string[]> {
  const params = { name: 'list_tools', arguments: { summary: true, limit: 1_000 } };
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { result } = (await answer.json()) as { result: { content: [{ text: string }] } };
  const { tools } = JSON.parse(result.content[0].text) as { tools: readonly { name: string }[] };
  return tools.map(({ name }) => name);
}

/** The processes that were started from the tree. */
const processesOf = ({ root }: ImageTree): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .filter((line) => line.includes(root));

const POLLING = { timeout: 60_000, interval: 100 };

describe('the file tree of the image of the gateway', () => {
  it('serves the core tools to a user without a name, a home directory or a state directory', async () => {
    chmodSync(join(tree.root, 'var/lib/gateway'), 0o555);
    const gateway = await contained(tree, { uid: 12_345, env: { HOME: undefined } });
    expect(gateway.healthcheck()).toBe(0);
    expect(await toolsOf(gateway)).toContain('core_service_list');
    expect(await gateway.stop('SIGTERM')).toBe(0);
    expect(gateway.logs()).toContain('the state directory cannot be used');
    expect(gateway.healthcheck()).toBe(1);
  });

  it('runs the servers of a mounted configuration, applies its changes, and leaves no process', async () => {
    const state = join(tree.root, 'var/lib/gateway');
    chmodSync(state, 0o755);
    give(state, tree.uid);
    const config = { 'config.yaml': `stateDirectory: ${state}/state\n` };
    const write = configVolume(join(tree.root, 'etc/gateway'));
    write({ ...config, 'mcpservers/notes.yaml': server('notes') });
    const gateway = await contained(tree);
    await vi.waitFor(async () => {
      expect(await toolsOf(gateway)).toContain('x_notes_create_entities');
    }, POLLING);
    write({ ...config, 'mcpservers/wiki.yaml': server('wiki') });
    await vi.waitFor(async () => {
      const tools = await toolsOf(gateway);
      expect(tools).toContain('x_wiki_create_entities');
      expect(tools).not.toContain('x_notes_create_entities');
    }, POLLING);
    expect(processesOf(tree)).not.toEqual([]);
    const asked = performance.now();
    expect(await gateway.stop('SIGTERM')).toBe(0);
    expect(performance.now() - asked).toBeLessThan(10_000);
    expect(processesOf(tree)).toEqual([]);
    expect(existsSync(`${state}/state`)).toBe(true);
  });

  it('contains the runtime files, without types, source maps and build dependencies', () => {
    const files = readdirSync(join(tree.root, 'opt/gateway'), { recursive: true }).map(String);
    expect(files.filter((file) => /\.(?:map|[cm]?ts)$/u.test(file))).toEqual([]);
    expect(
      files.filter((file) => /node_modules\/(?:vitest|tsup|typescript)\//u.test(file)),
    ).toEqual([]);
    expect(files).toContain('dist/cli.js');
    expect(files).toContain('node_modules/.bin/mcp-server-memory');
  });
});
