import { describe, expect, it } from 'vitest';
import { parseImport, formatServerNote, type ImportedServer } from '@gateway/client-config';

const serversOf = (text: string): readonly ImportedServer[] => {
  const parsed = parseImport(text);
  return parsed.ok ? parsed.servers : [];
};

describe('the servers of VS Code', () => {
  it('are those of mcp.json and of the older settings', () => {
    const text = `{
      // one input
      "inputs": [{ "type": "promptString", "id": "key", "description": "Key", "password": true }],
      "servers": { "wiki": { "type": "http", "url": "https://wiki.example/mcp" } },
      "mcp": { "servers": { "files": { "command": "npx", "args": ["-y", "files"] } } },
    }`;
    expect(serversOf(text)).toMatchObject([
      { source: 'wiki', definition: { type: 'streamable-http' }, problems: [], notes: [] },
      { source: 'files', definition: { type: 'stdio', command: 'npx' }, problems: [], notes: [] },
    ]);
  });
});

describe('the servers of Claude Code', () => {
  const text = JSON.stringify({
    numStartups: 3,
    mcpServers: { wiki: { type: 'http', url: 'https://wiki.example/mcp' } },
    projects: {
      '/work/a': { mcpServers: { wiki: { command: 'local-wiki' } }, history: [] },
      '/work/b': { mcpServers: { db: { type: 'stdio', command: 'db' } } },
      '/work/c': { mcpServers: {} },
    },
  });

  it('are those of the user and of each project', () => {
    expect(serversOf(text).map(({ source, name, project }) => [source, name, project])).toEqual([
      ['wiki', 'wiki', undefined],
      ['wiki (/work/a)', 'wiki', '/work/a'],
      ['db', 'db', '/work/b'],
    ]);
  });

  it('can be limited to projects', () => {
    const parsed = parseImport(text, { projects: ['/work/b'] });
    expect(parsed.ok && parsed.servers.map(({ source }) => source)).toEqual(['wiki', 'db']);
  });

  it('have repeated names in a project too', () => {
    const repeated =
      '{"projects":{"/p":{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}},"/q":{"mcpServers":{"a":{"command":"z"}}}}}';
    expect(serversOf(repeated).map(({ source, problems }) => [source, problems])).toEqual([
      ['a', [{ code: 'repeated-name' }]],
      ['a (/q)', []],
    ]);
  });
});

describe('the servers of Codex', () => {
  it('are tables of TOML', () => {
    const text = `\uFEFFmodel = "x"
      [mcp_servers.docs]
      command = "npx"
      args = ["-y", "docs-server"]
      env_vars = ["DOCS_TOKEN"]
      startup_timeout_sec = 20
      tool_timeout_sec = 45
      [mcp_servers.docs.env]
      LEVEL = "debug"
      [mcp_servers."Wiki Team"]
      url = "https://wiki.example/mcp"
      bearer_token_env_var = "WIKI_TOKEN"
      http_headers = { "X-Team" = "blue" }
      env_http_headers = { "X-Key" = "WIKI_KEY" }
      enabled = false
    `;
    const [docs, wiki] = serversOf(text);
    const env = { LEVEL: 'debug', DOCS_TOKEN: '${env:DOCS_TOKEN}' };
    const command = { type: 'stdio', command: 'npx', args: ['-y', 'docs-server'] };
    expect(docs).toMatchObject({
      name: 'docs',
      definition: { ...command, startTimeout: 20, env },
    });
    expect(docs?.notes.map(formatServerNote)).toEqual([
      'Left out, because the gateway has no such field: "tool_timeout_sec".',
    ]);
    const headers = {
      'X-Team': 'blue',
      'X-Key': '${env:WIKI_KEY}',
      Authorization: 'Bearer ${env:WIKI_TOKEN}',
    };
    const remote = { type: 'streamable-http', url: 'https://wiki.example/mcp' };
    expect(wiki).toMatchObject({
      name: 'wiki-team',
      definition: { ...remote, autoStart: false, headers },
    });
  });

  it('are refused with the place of the defect', () => {
    expect(parseImport('[mcp_servers.a]\ncommand = ')).toMatchObject({
      ok: false,
      refusal: { code: 'not-readable', format: 'TOML', place: 'line 2 column 11' },
    });
    expect(parseImport('[mcp_servers.a]\na = 1\na = 2')).toMatchObject({ ok: false });
  });
});

it('reads the servers of Zed, Gemini CLI and Windsurf', () => {
  const text = JSON.stringify({
    context_servers: {
      new: { source: 'custom', command: 'a', args: ['b'] },
      old: { command: { path: 'c', args: ['d'], env: { E: 'f' } } },
    },
    mcpServers: {
      gemini: { httpUrl: 'https://g.example/mcp', trust: true },
      windsurf: { serverUrl: 'https://w.example/sse' },
    },
  });
  const found = new Map(serversOf(text).map(({ source, definition }) => [source, definition]));
  expect(Object.fromEntries(found)).toMatchObject({
    new: { type: 'stdio', command: 'a', args: ['b'] },
    old: { type: 'stdio', command: 'c', args: ['d'], env: { E: 'f' } },
    gemini: { type: 'streamable-http', url: 'https://g.example/mcp' },
    windsurf: { type: 'sse', url: 'https://w.example/sse' },
  });
});

describe('a hostile text', () => {
  it.each([
    ['TOML', `[mcp_servers.a]\n${'['.repeat(900_000)}`],
    ['TOML', `[mcp_servers.a]\nx = ${'['.repeat(900_000)}`],
    ['TOML', `[mcp_servers.a]\nx = """${'"\\'.repeat(400_000)}`],
    ['JSON', `${' '.repeat(900_000)}[mcp_servers`],
  ])('of %s is refused', (format, text) => {
    expect(parseImport(text)).toMatchObject({
      ok: false,
      refusal: { code: 'not-readable', format },
    });
  });

  it('with two hundred projects is read once', () => {
    const mcpServers = { a: { command: 'x', more: 'y'.repeat(4_000) } };
    const entries = Array.from({ length: 200 }, (_, at) => [`/p${String(at)}`, { mcpServers }]);
    const projects: unknown = Object.fromEntries(entries);
    expect(serversOf(JSON.stringify({ projects }))).toHaveLength(200);
  });

  it('of ten million characters is refused by its length', () => {
    expect(parseImport('{'.repeat(10_000_001), { maxChars: 10_000_000 })).toMatchObject({
      refusal: { code: 'too-large', max: 10_000_000 },
    });
  });

  it('has names of the prototype as names', () => {
    const [server] = serversOf('[mcp_servers.__proto__]\ncommand = "a"');
    expect(server).toMatchObject({ source: '__proto__', name: 'proto', problems: [] });
    expect({}).not.toHaveProperty('command');
  });
});
