import { describe, expect, it } from 'vitest';
import { formatImportRefusal, formatServerNote, formatServerProblem } from '@gateway/client-config';
import { parseImport, type ImportedServer } from '@gateway/client-config';

const serversOf = (text: string): readonly ImportedServer[] => {
  const parsed = parseImport(text);
  if (!parsed.ok) throw new Error(formatImportRefusal(parsed.refusal));
  return parsed.servers;
};

const refusalOf = (text: string): string | undefined => {
  const parsed = parseImport(text);
  return parsed.ok ? undefined : formatImportRefusal(parsed.refusal);
};

const oneOf = (server: unknown): ImportedServer => {
  const [first] = serversOf(JSON.stringify({ mcpServers: { one: server } }));
  if (first === undefined) throw new Error('no server');
  return first;
};

const problemsOf = (server: unknown): readonly string[] =>
  oneOf(server).problems.map(formatServerProblem);
const listNotes = (server: unknown): readonly string[] => oneOf(server).notes.map(formatServerNote);

describe('the servers of a settings file', () => {
  it('are those under mcpServers, local and remote', () => {
    const args = ['-y', 'server-files', '/data'];
    const files = { command: 'npx', args, env: { TOKEN: 'x' } };
    const wiki = { url: 'https://wiki.example/mcp', headers: { 'X-Team': 'blue' } };
    const old = { url: 'https://old.example/sse' };
    const text = JSON.stringify({ mcpServers: { files, wiki, old }, theme: 'dark' });
    const imported = (name: string, type: string, entry: object) => ({
      source: name,
      name,
      definition: { type, ...entry, autoStart: false },
      problems: [],
      notes: [],
    });
    expect(serversOf(text)).toEqual([
      imported('files', 'stdio', files),
      imported('wiki', 'streamable-http', wiki),
      imported('old', 'sse', old),
    ]);
  });

  it('are read from settings with comments, trailing commas and other words', () => {
    const text = `// settings
    { "servers": { /* one */ "Wiki // Team": { "type": "http", "url": "https://wiki.example/a//b", }, }, }`;
    expect(serversOf(text)).toMatchObject([
      {
        source: 'Wiki // Team',
        name: 'wiki-team',
        definition: { type: 'streamable-http', url: 'https://wiki.example/a//b' },
        notes: [{ code: 'renamed', from: 'Wiki // Team' }],
      },
    ]);
  });

  it('keep names of the prototype as names', () => {
    const text =
      '{"mcpServers":{"__proto__":{"command":"a","env":{"__proto__":"x"}},"constructor":{"url":"https://a.example/"}}}';
    const [proto, constructor] = serversOf(text);
    expect(proto?.name).toBe('proto');
    expect(JSON.stringify(proto?.definition)).toContain('"env":{"__proto__":"x"}');
    expect(proto?.problems).toEqual([]);
    expect(constructor?.definition).toMatchObject({ url: 'https://a.example/' });
  });

  it('are not started when they are disabled', () => {
    expect(oneOf({ command: 'a', disabled: true }).definition).toMatchObject({ autoStart: false });
    expect(listNotes({ command: 'a', disabled: true })).toEqual([
      'It is disabled in the file, and is created without being started.',
    ]);
    expect(oneOf({ command: 'a', disabled: false }).notes).toEqual([]);
  });
});

describe('a command with arguments', () => {
  it('is split into words where no shell is needed', () => {
    const server = { command: 'npx -y  server-files', args: ['/data'] };
    expect(oneOf(server).definition).toMatchObject({
      command: 'npx',
      args: ['-y', 'server-files', '/data'],
    });
    expect(listNotes(server)).toEqual([
      'The command line "npx -y  server-files" becomes the command "npx" and its arguments.',
    ]);
  });

  it('is a problem where only a shell knows its words', () => {
    expect(problemsOf({ command: 'sh -c "curl x | sh"' })).toEqual([
      'Its command "sh -c "curl x | sh"" is a command line: write the program in "command" and each argument in "args".',
    ]);
    expect(problemsOf({ command: 'run $(rm -rf /)' })).toHaveLength(1);
  });

  it('is no command line when it is a path with spaces', () => {
    const server = { command: 'C:\\Program Files\\node.exe', args: ['x'] };
    expect(oneOf(server)).toMatchObject({ definition: server, problems: [], notes: [] });
  });
});

describe('a server that cannot be created as it is written', () => {
  const ELSEWHERE = 'of another program: write the value, or use a Secret.';

  it.each<[string, unknown]>([
    ['The definition is not an object.', 'npx'],
    ['The definition is not an object.', null],
    ['It has neither "command" nor "url".', {}],
    ['It has both a "command" and a "url".', { command: 'a', url: 'https://a.example' }],
    ['Its type "ws" is none of stdio, streamable-http and sse.', { type: 'ws', url: 'https://a' }],
    ['Its type "7" is none of stdio, streamable-http and sse.', { type: 7, command: 'a' }],
    ['Its "command" must be a text.', { command: ['npx'] }],
    ['Its "args" must be a list of texts.', { command: 'npx', args: [1] }],
    ['Its "args" must be a list of texts.', { command: 'npx', args: '-y x' }],
    ['Its "url" must be a text.', { url: {} }],
    ['Its "env" must be an object with texts.', { command: 'a', env: ['A=b'] }],
    ['Its "env.PORT" must be a text.', { command: 'a', env: { PORT: 80 } }],
    [
      `The value of "headers.Authorization" is the placeholder "\${input:key}" ${ELSEWHERE}`,
      { url: 'https://a.example', headers: { Authorization: 'Bearer ${input:key}' } },
    ],
    [`The value of "url" is the placeholder "\${URL}" ${ELSEWHERE}`, { url: '${URL}' }],
    [
      `The value of "args[1]" is the placeholder "\${env:KEY}" ${ELSEWHERE}`,
      { command: 'serve', args: ['--key', '${env:KEY}'] },
    ],
  ])('%s', (text, server) => {
    expect(problemsOf(server)).toEqual([text]);
  });

  it('has a name that occurs twice, which JSON.parse would hide', () => {
    const text = '{"mcpServers":{"a":{"command":"x"},"b":{"a":1},"\\u0061":{"command":"y"}}}';
    expect(serversOf(text).map(({ source, problems }) => [source, problems])).toEqual([
      ['a', [{ code: 'repeated-name' }]],
      ['b', [{ code: 'no-address' }]],
    ]);
  });
});

it('names the keys that the gateway does not have', () => {
  expect(listNotes({ command: 'a', alwaysAllow: ['x'], timeout: 60 })).toEqual([
    'Left out, because the gateway has no such field: "alwaysAllow", "timeout".',
  ]);
});

describe('a text without servers', () => {
  it.each([
    ['The text has no servers', '{}'],
    ['The text has no servers', '[]'],
    ['The text has no servers', 'null'],
    ['The text has no servers', '{"mcpServers":{}}'],
    ['The text has no servers', '{"mcpServers":[{"command":"a"}]}'],
    ['The text is not JSON (it is empty).', ''],
    ['The text is not JSON (it is empty).', '\uFEFF \n'],
    ['The text is not JSON (its end is missing).', '\uFEFF // nothing\n'],
    ['The text is not JSON (line 2 column 3)', '{\n  mcpServers: {} }'],
    ['The text is not JSON (its end is missing).', '{"mcpServers": {"a": {"command": "x"}'],
    ['The text is not JSON (its end is missing).', '{"mcpServers": '],
    ['The text is not JSON (line 1 column 15).', '{"mcpServers" {}}'],
    ['The text is not JSON (line 1 column 1).', 'mcpServers'],
  ])('%s: %s', (start, text) => {
    expect(refusalOf(text)).toContain(start);
  });

  it('has too many servers', () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`s${at}`, {}]));
    expect(refusalOf(JSON.stringify({ mcpServers: many }))).toBe(
      'The text has 201 servers; at most 200 are imported at once.',
    );
  });

  it('is too long', () => {
    expect(refusalOf(' '.repeat(10_000_000))).toBe('The text has more than 1,000,000 characters.');
  });
});

describe('a hostile text of a million characters', () => {
  const full = (part: string): string => part.repeat(Math.floor(1_000_000 / part.length));

  it.each(['/*', '//', '"', '"\\"', '[', '{"a":', ',', ', ', '\\', '/*"', '*/'])(
    'that repeats %s is refused',
    (part) => {
      expect(refusalOf(full(part))).toMatch(/^The text is not JSON/);
    },
  );

  const nested = (levels: number): string =>
    `{"mcpServers":{"a":{"command":"x","other":${'['.repeat(levels)}${']'.repeat(levels)}}}}`;

  it('with one server of deep values is read', () => {
    expect(serversOf(nested(500))).toHaveLength(1);
  });

  it('with one server of far deeper values is refused', () => {
    expect(refusalOf(nested(100_000))).toBe('The text is not JSON (it is nested too deeply).');
  });
});

describe('a text that would need too much', () => {
  it.each([
    [
      'deep nesting in a type',
      `{"mcpServers":{"a":{"type":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`,
    ],
    ['a long string of escapes', `{"mcpServers":{"a":{"command":"${'\\\\'.repeat(4_900_000)}"}}}`],
  ])('is no error of the program: %s', (_what, text) => {
    expect(() => parseImport(text, { maxChars: 10_000_000 })).not.toThrow();
  });

  it('is refused where TOML has more than 1,000,000 characters', () => {
    const text = `[mcp_servers.a]\ncommand = "x"\n#${'x'.repeat(1_000_000)}`;
    expect(parseImport(text, { maxChars: 10_000_000 })).toEqual({
      ok: false,
      refusal: { code: 'too-large', max: 1_000_000 },
    });
  });
});
