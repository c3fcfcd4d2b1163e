export const CLIENT_IDS = [
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'windsurf',
  'codex',
  'gemini',
  'zed',
  'jetbrains',
] as const;

export type ClientId = (typeof CLIENT_IDS)[number];

export const isClientId = (text: string): text is ClientId =>
  CLIENT_IDS.some((client) => client === text);

export interface ClientShape {
  readonly title: string;
  readonly format: 'json' | 'toml';
  readonly parent: string;
  /** The key of the URL of a server over HTTP; absent when its file cannot have such a server. */
  readonly urlKey?: 'url' | 'serverUrl' | 'httpUrl';
  readonly headersKey?: 'http_headers';
  readonly isTyped?: true;
  readonly place: string;
  /** The files of the user, below one of the {@link resolveDirectories}. The first is the one to write. */
  readonly user: readonly string[];
  readonly project?: string;
}

/** The shape of each client, from its published documentation. */
export const CLIENT_SHAPES: Readonly<Record<ClientId, ClientShape>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    parent: 'mcpServers',
    place: 'Settings, Developer, Edit Config; start the application again',
    user: ['data/Claude/claude_desktop_config.json'],
  },
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    parent: 'mcpServers',
    urlKey: 'url',
    isTyped: true,
    place: '~/.claude.json, or .mcp.json in a project',
    user: ['claude/.claude.json'],
    project: '.mcp.json',
  },
  cursor: {
    title: 'Cursor',
    format: 'json',
    parent: 'mcpServers',
    urlKey: 'url',
    place: '~/.cursor/mcp.json, or .cursor/mcp.json in a project',
    user: ['home/.cursor/mcp.json'],
    project: '.cursor/mcp.json',
  },
  vscode: {
    title: 'VS Code',
    format: 'json',
    parent: 'servers',
    urlKey: 'url',
    isTyped: true,
    place: 'the command "MCP: Open User Configuration", or .vscode/mcp.json in a project',
    // Before mcp.json existed, servers were in the settings.
    user: ['data/Code/User/mcp.json', 'data/Code/User/settings.json'],
    project: '.vscode/mcp.json',
  },
  windsurf: {
    title: 'Windsurf',
    format: 'json',
    parent: 'mcpServers',
    urlKey: 'serverUrl',
    place: '~/.codeium/windsurf/mcp_config.json',
    user: ['home/.codeium/windsurf/mcp_config.json'],
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    parent: 'mcp_servers',
    urlKey: 'url',
    headersKey: 'http_headers',
    place: '~/.codex/config.toml',
    user: ['codex/config.toml'],
    project: '.codex/config.toml',
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'json',
    parent: 'mcpServers',
    urlKey: 'httpUrl',
    place: '~/.gemini/settings.json, or .gemini/settings.json in a project',
    user: ['home/.gemini/settings.json'],
    project: '.gemini/settings.json',
  },
  zed: {
    title: 'Zed',
    format: 'json',
    parent: 'context_servers',
    urlKey: 'url',
    place: 'the command "zed: open settings file"',
    user: ['zed/settings.json'],
    project: '.zed/settings.json',
  },
  jetbrains: {
    title: 'JetBrains',
    format: 'json',
    parent: 'mcpServers',
    place: 'Settings, Tools, AI Assistant, Model Context Protocol; Junie: ~/.junie/mcp/mcp.json',
    user: ['home/.junie/mcp/mcp.json'],
    project: '.junie/mcp/mcp.json',
  },
};

export interface ClientPlace {
  readonly platform: 'linux' | 'darwin' | 'win32';
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ClientFile {
  /** `user`: for everything that the user does; `project`: for one directory. */
  readonly scope: 'user' | 'project';
  readonly path: string;
}

/** Returns the directories of the files of a user; `data` is that of application data, as Electron names it. */
const resolveDirectories = (
  { platform, home, env }: ClientPlace,
  join: (first: string, ...rest: readonly string[]) => string,
): Readonly<Record<string, string>> => {
  const data = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env['APPDATA'] ?? join(home, 'AppData', 'Roaming'),
    linux: env['XDG_CONFIG_HOME'] ?? join(home, '.config'),
  }[platform];
  return {
    home,
    data,
    claude: env['CLAUDE_CONFIG_DIR'] ?? home,
    codex: env['CODEX_HOME'] ?? join(home, '.codex'),
    zed: {
      darwin: join(home, '.config', 'zed'),
      win32: join(data, 'Zed'),
      linux: join(data, 'zed'),
    }[platform],
  };
};

/** Returns the files in which a client keeps servers: those of the user, then that of the project. The first is the one to write. */
export const listConfigFiles = (client: ClientId, place: ClientPlace): readonly ClientFile[] => {
  const separator = place.platform === 'win32' ? '\\' : '/';
  const join = (first: string, ...rest: readonly string[]): string =>
    [first.replace(/[\\/]$/u, ''), ...rest].join(separator);
  const { user, project } = CLIENT_SHAPES[client];
  const roots = resolveDirectories(place, join);
  return [
    ...user.map((file) => {
      const [root = '', ...rest] = file.split('/');
      return { scope: 'user' as const, path: join(roots[root] ?? root, ...rest) };
    }),
    ...(project === undefined
      ? []
      : [{ scope: 'project' as const, path: join(place.project, ...project.split('/')) }]),
  ];
};
