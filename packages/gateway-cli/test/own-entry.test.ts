import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gateway-own-entry-'));
  mkdirSync(join(root, 'mcpservers'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const importOf = (mcpServers: unknown) => {
  const file = join(root, 'client.json');
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return runCommand(['import', file, '--config-dir', root, '--write'], { env: { HOME: root } });
};

describe('an import from a client that uses the gateway', () => {
  it.each([
    ['gateway', { command: 'gateway', args: ['stdio', '--config-dir', root] }],
    ['gw', { command: 'npx', args: ['-y', '@gateway/gateway', 'stdio'] }],
    ['gw', { command: 'npx', args: ['-y', '@gateway/gateway@1.2.3', 'stdio', '--url', 'x'] }],
    ['gw', { command: 'node', args: ['/opt/apps/gateway/dist/cli.js', 'stdio', '--url', 'x'] }],
    ['gateway', { url: 'http://127.0.0.1:8090/mcp' }],
    ['gw', { url: 'http://localhost:9/mcp', headers: { 'x-gateway-toolset': 'server:a' } }],
  ])('leaves out its entry %s %j and says so', async (name, entry) => {
    const { code, stdout, stderr } = await importOf({
      [name]: entry,
      files: { command: 'npx', args: ['-y', 'files', 'stdio'] },
    });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `${name}: left out: it is the entry of the gateway itself\nIt does not start yet: read it, then set spec.autoStart to true, or use --start.\n`,
    });
    expect(stdout).toContain('1 server imported\n');
    expect(readdirSync(join(root, 'mcpservers'))).toEqual(['files.yaml']);
  });

  it('succeeds when there is no other server', async () => {
    const { code, stdout } = await importOf({ gateway: { command: 'gateway', args: ['stdio'] } });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '0 servers imported\n' });
  });
});
