import type { ClientId } from './client-id.ts';

/** How a client writes its servers. */
export interface ClientShape {
  /** The name that its users know. */
  readonly title: string;
  readonly format: 'json' | 'toml';
  /** The key of the object with the servers. */
  readonly parent: string;
  /** True when its configuration file can name a server that is reached over HTTP. */
  readonly hasHttp: boolean;
  /** The setting that a person opens to find the configuration. */
  readonly place: string;
}

/** The shape of each client, from its published documentation. */
export const CLIENT_SHAPES: Readonly<Record<ClientId, ClientShape>> = {
  'claude-desktop': {
    ...{ title: 'Claude Desktop', format: 'json', parent: 'mcpServers', hasHttp: false },
    place: 'Settings, Developer, Edit Config; start the application again',
  },
  'claude-code': {
    ...{ title: 'Claude Code', format: 'json', parent: 'mcpServers', hasHttp: true },
    place: '~/.claude.json, or .mcp.json in a project',
  },
  cursor: {
    ...{ title: 'Cursor', format: 'json', parent: 'mcpServers', hasHttp: true },
    place: '~/.cursor/mcp.json, or .cursor/mcp.json in a project',
  },
  vscode: {
    ...{ title: 'VS Code', format: 'json', parent: 'servers', hasHttp: true },
    place: 'the command "MCP: Open User Configuration", or .vscode/mcp.json in a project',
  },
  windsurf: {
    ...{ title: 'Windsurf', format: 'json', parent: 'mcpServers', hasHttp: true },
    place: '~/.codeium/windsurf/mcp_config.json',
  },
  codex: {
    ...{ title: 'Codex', format: 'toml', parent: 'mcp_servers', hasHttp: true },
    place: '~/.codex/config.toml',
  },
  gemini: {
    ...{ title: 'Gemini CLI', format: 'json', parent: 'mcpServers', hasHttp: true },
    place: '~/.gemini/settings.json, or .gemini/settings.json in a project',
  },
  zed: {
    ...{ title: 'Zed', format: 'json', parent: 'context_servers', hasHttp: true },
    place: 'the command "zed: open settings file"',
  },
  jetbrains: {
    ...{ title: 'JetBrains', format: 'json', parent: 'mcpServers', hasHttp: false },
    place: 'Settings, Tools, AI Assistant, Model Context Protocol; Junie: ~/.junie/mcp/mcp.json',
  },
};
