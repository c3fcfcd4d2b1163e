import { describe, expect, it } from 'vitest';
import { CLIENT_IDS, listConfigFiles, type ClientPlace } from '@gateway/client-config';

const LINUX: ClientPlace = { platform: 'linux', home: '/home/a', project: '/work', env: {} };
const MAC: ClientPlace = { platform: 'darwin', home: '/Users/a', project: '/work', env: {} };
const WINDOWS: ClientPlace = {
  platform: 'win32',
  home: 'C:\\Users\\a',
  project: 'D:\\work',
  env: { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' },
};

const firstPaths = (place: ClientPlace) =>
  Object.fromEntries(CLIENT_IDS.map((client) => [client, listConfigFiles(client, place)[0]?.path]));

describe('the file of a user', () => {
  it('on Linux', () => {
    expect(firstPaths(LINUX)).toEqual({
      'claude-desktop': '/home/a/.config/Claude/claude_desktop_config.json',
      'claude-code': '/home/a/.claude.json',
      cursor: '/home/a/.cursor/mcp.json',
      vscode: '/home/a/.config/Code/User/mcp.json',
      windsurf: '/home/a/.codeium/windsurf/mcp_config.json',
      codex: '/home/a/.codex/config.toml',
      gemini: '/home/a/.gemini/settings.json',
      zed: '/home/a/.config/zed/settings.json',
      jetbrains: '/home/a/.junie/mcp/mcp.json',
    });
  });

  it('on macOS', () => {
    expect(firstPaths(MAC)).toMatchObject({
      'claude-desktop': '/Users/a/Library/Application Support/Claude/claude_desktop_config.json',
      vscode: '/Users/a/Library/Application Support/Code/User/mcp.json',
      zed: '/Users/a/.config/zed/settings.json',
    });
  });

  it('on Windows', () => {
    expect(firstPaths(WINDOWS)).toMatchObject({
      'claude-desktop': 'C:\\Users\\a\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
      'claude-code': 'C:\\Users\\a\\.claude.json',
      vscode: 'C:\\Users\\a\\AppData\\Roaming\\Code\\User\\mcp.json',
      zed: 'C:\\Users\\a\\AppData\\Roaming\\Zed\\settings.json',
    });
  });

  it('follows the variables of the clients', () => {
    const env = {
      XDG_CONFIG_HOME: '/x/',
      CODEX_HOME: '/codex',
      CLAUDE_CONFIG_DIR: '/claude',
    };
    expect(firstPaths({ ...LINUX, env })).toMatchObject({
      'claude-desktop': '/x/Claude/claude_desktop_config.json',
      'claude-code': '/claude/.claude.json',
      codex: '/codex/config.toml',
    });
  });
});

it('names the files of a project after those of the user', () => {
  expect(listConfigFiles('vscode', LINUX).map(({ scope, path }) => [scope, path])).toEqual([
    ['user', '/home/a/.config/Code/User/mcp.json'],
    ['user', '/home/a/.config/Code/User/settings.json'],
    ['project', '/work/.vscode/mcp.json'],
  ]);
  expect(listConfigFiles('claude-code', WINDOWS).at(-1)).toEqual({
    scope: 'project',
    path: 'D:\\work\\.mcp.json',
  });
});
