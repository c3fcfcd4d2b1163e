import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  addToHistory,
  resolveHistoryFile,
  isKept,
  readHistory,
} from '../../src/shell/terminal-prompt.ts';
import { useDirectory } from '../use-directory.ts';

const directory = useDirectory();

describe('the history', () => {
  it.each([
    [{ XDG_STATE_HOME: '/s', HOME: '/h' }, 'linux', '/s/mcp-gateway/shell-history'],
    [{ HOME: '/h' }, 'linux', '/h/.local/state/mcp-gateway/shell-history'],
    [{ LOCALAPPDATA: '/l' }, 'win32', '/l/mcp-gateway/shell-history'],
  ] as const)('is in the state directory of the user: %j on %s', (env, platform, path) => {
    expect(resolveHistoryFile(env, platform)).toBe(path);
  });
  it.each([
    'x --header "A: b"',
    'tools call x api_key=1',
    'tools call x --json \'{"Password":"y"}\'',
    'servers add x --env A=b',
    'tools call x h="Bearer y"',
    'servers install x --set WEATHER_KEY=abc',
    `tools call x q=ghp_${'x'.repeat(36)}`,
    'tools call x url=https://me:pw@example.com',
    'servers add x -- run --pass abc',
    '  ',
    'a\u001Bb',
    'a'.repeat(16_384),
  ])('has no lines that may contain secrets: %s', (line) => {
    expect(isKept(line)).toBe(false);
    expect(isKept('tools call __proto__ text=🦊')).toBe(true);
  });
  it('keeps the last 1,000 lines in a private file', async () => {
    const file = resolveHistoryFile({ XDG_STATE_HOME: directory.path });
    expect(await readHistory(file)).toEqual([]);
    await addToHistory(file, 'one --token x');
    expect(await readHistory(file)).toEqual([]);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`).join(''));
    chmodSync(file, 0o644);
    await addToHistory(file, 'tools list');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(1_000);
    expect([lines[0], lines.at(-1)]).toEqual(['line 1', 'tools list']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
