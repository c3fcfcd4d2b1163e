import { describe, expect, it } from 'vitest';
import { CLIENT_IDS, renderConfig, type ClientId } from '@gateway/client-config';

const HTTP = {
  kind: 'http',
  url: 'http://127.0.0.1:8080/mcp',
  headers: { 'X-Gateway-Toolset': 'preset:read-only' },
} as const;
const STDIO = {
  kind: 'stdio',
  command: 'gateway',
  args: ['stdio', '--config-dir', '/home/a/gateway'],
} as const;

const textOf = (client: ClientId, endpoint: typeof HTTP | typeof STDIO): string => {
  const rendered = renderConfig(client, { name: 'gateway', endpoint });
  return rendered.ok ? rendered.text : rendered.problem;
};

const { url, headers } = HTTP;
const COMMAND = { command: STDIO.command, args: STDIO.args };
const URL_REFUSAL = 'cannot be configured with a URL in its file: use a command (stdio)';

describe('the configuration for a URL', () => {
  it.each<[ClientId, object]>([
    ['claude-code', { mcpServers: { gateway: { type: 'http', url, headers } } }],
    ['cursor', { mcpServers: { gateway: { url, headers } } }],
    ['vscode', { servers: { gateway: { type: 'http', url, headers } } }],
    ['windsurf', { mcpServers: { gateway: { serverUrl: url, headers } } }],
    ['gemini', { mcpServers: { gateway: { httpUrl: url, headers } } }],
    ['zed', { context_servers: { gateway: { url, headers } } }],
  ])('of %s', (client, expected) => {
    expect(JSON.parse(textOf(client, HTTP))).toEqual(expected);
  });

  it('of Codex', () => {
    expect(textOf('codex', HTTP)).toBe(
      `[mcp_servers.gateway]
url = "http://127.0.0.1:8080/mcp"

[mcp_servers.gateway.http_headers]
X-Gateway-Toolset = "preset:read-only"
`,
    );
  });

  it.each<[ClientId, string]>([
    ['claude-desktop', `Claude Desktop ${URL_REFUSAL}`],
    ['jetbrains', `JetBrains ${URL_REFUSAL}`],
  ])('does not exist for %s', (client, problem) => {
    const rendered = renderConfig(client, { name: 'gateway', endpoint: HTTP });
    expect(rendered).toEqual({ ok: false, problem });
  });
});

describe('the configuration for a command', () => {
  it.each<[ClientId, object]>([
    ['claude-desktop', { mcpServers: { gateway: COMMAND } }],
    ['claude-code', { mcpServers: { gateway: { type: 'stdio', ...COMMAND } } }],
    ['cursor', { mcpServers: { gateway: COMMAND } }],
    ['vscode', { servers: { gateway: { type: 'stdio', ...COMMAND } } }],
    ['windsurf', { mcpServers: { gateway: COMMAND } }],
    ['gemini', { mcpServers: { gateway: COMMAND } }],
    ['zed', { context_servers: { gateway: { source: 'custom', ...COMMAND } } }],
    ['jetbrains', { mcpServers: { gateway: COMMAND } }],
  ])('of %s', (client, expected) => {
    expect(JSON.parse(textOf(client, STDIO))).toEqual(expected);
  });

  it('of Codex', () => {
    expect(textOf('codex', STDIO)).toBe(
      `[mcp_servers.gateway]
command = "gateway"
args = [ "stdio", "--config-dir", "/home/a/gateway" ]
`,
    );
  });

  it('exists for each client', () => {
    for (const client of CLIENT_IDS) expect(textOf(client, STDIO)).toContain('--config-dir');
  });
});
