import type { ClientId } from './client-id.ts';

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
