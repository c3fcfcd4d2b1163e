/** The clients whose configuration files are known. */
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

/** A client with a known configuration file. */
export type ClientId = (typeof CLIENT_IDS)[number];

/** Returns whether a text names a client. */
export const isClientId = (text: string): text is ClientId =>
  CLIENT_IDS.some((client) => client === text);

/** How a client writes its servers. */
interface ClientShape {
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

/** The facts of a machine on which paths depend. */
export interface ClientPlace {
  readonly platform: 'linux' | 'darwin' | 'win32';
  /** The home directory of the person. */
  readonly home: string;
  /** The directory of the project. */
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A file in which a client keeps servers. */
export interface ClientFile {
  /** `user`: for everything that the person does; `project`: for one directory. */
  readonly scope: 'user' | 'project';
  readonly path: string;
}

const joined = ({ platform }: ClientPlace, parts: readonly string[]): string => {
  const separator = platform === 'win32' ? '\\' : '/';
  const [first = '', ...rest] = parts;
  return [first.replace(/[\\/]$/u, ''), ...rest].join(separator);
};

/** The directory of application data, as Electron names it. */
const applicationData = (place: ClientPlace): string => {
  const { platform, home, env } = place;
  switch (platform) {
    case 'darwin':
      return joined(place, [home, 'Library', 'Application Support']);
    case 'win32':
      return env['APPDATA'] ?? joined(place, [home, 'AppData', 'Roaming']);
    case 'linux':
      return env['XDG_CONFIG_HOME'] ?? joined(place, [home, '.config']);
  }
};

const zedDirectory = (place: ClientPlace): string => {
  const { platform, home } = place;
  if (platform === 'win32') return joined(place, [applicationData(place), 'Zed']);
  return platform === 'darwin'
    ? joined(place, [home, '.config', 'zed'])
    : joined(place, [applicationData(place), 'zed']);
};

type Parts = readonly string[];
interface Places {
  readonly user: readonly Parts[];
  readonly project: readonly Parts[];
}

/** The paths of each client. `user` paths are absolute, the others count from the project. */
const PLACES: Readonly<Record<ClientId, (place: ClientPlace) => Places>> = {
  'claude-desktop': (place) => ({
    user: [[applicationData(place), 'Claude', 'claude_desktop_config.json']],
    project: [],
  }),
  'claude-code': ({ home, env }) => ({
    user: [[env['CLAUDE_CONFIG_DIR'] ?? home, '.claude.json']],
    project: [['.mcp.json']],
  }),
  cursor: ({ home }) => ({
    user: [[home, '.cursor', 'mcp.json']],
    project: [['.cursor', 'mcp.json']],
  }),
  vscode: (place) => ({
    // Before mcp.json existed, servers were in the settings.
    user: ['mcp.json', 'settings.json'].map((name) => [
      ...[applicationData(place), 'Code', 'User', name],
    ]),
    project: [['.vscode', 'mcp.json']],
  }),
  windsurf: ({ home }) => ({
    user: [[home, '.codeium', 'windsurf', 'mcp_config.json']],
    project: [],
  }),
  codex: (place) => ({
    user: [[place.env['CODEX_HOME'] ?? joined(place, [place.home, '.codex']), 'config.toml']],
    project: [['.codex', 'config.toml']],
  }),
  gemini: ({ home }) => ({
    user: [[home, '.gemini', 'settings.json']],
    project: [['.gemini', 'settings.json']],
  }),
  zed: (place) => ({
    user: [[zedDirectory(place), 'settings.json']],
    project: [['.zed', 'settings.json']],
  }),
  jetbrains: ({ home }) => ({
    user: [[home, '.junie', 'mcp', 'mcp.json']],
    project: [['.junie', 'mcp', 'mcp.json']],
  }),
};

/** Returns the files in which a client keeps servers: those of the person, then those of the project. The first is the one to write. */
export const configFilesOf = (client: ClientId, place: ClientPlace): readonly ClientFile[] => {
  const { user, project } = PLACES[client](place);
  return [
    ...user.map((parts) => ({ scope: 'user' as const, path: joined(place, parts) })),
    ...project.map((parts) => ({
      scope: 'project' as const,
      path: joined(place, [place.project, ...parts]),
    })),
  ];
};
