import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { mergeConfig, type ClientId } from '@gateway/client-config';

const NAMED = { name: 'gateway', endpoint: { kind: 'http', url: 'http://g.example/mcp' } } as const;

const merge = (client: ClientId, file: string): string => {
  const merged = mergeConfig(client, file, NAMED);
  return merged.ok ? merged.text : `problem: ${merged.problem}`;
};

describe('an entry in JSON', () => {
  it('starts a file', () => {
    const text = `{
  "mcpServers": {
    "gateway": {
      "url": "http://g.example/mcp"
    }
  }
}
`;
    expect(merge('cursor', '')).toBe(text);
    expect(merge('cursor', ' \n')).toBe(text);
  });

  it('is added behind the others, and comments, order and indentation stay', () => {
    const file = `// mine
{
    "theme": "dark", // first
    "mcpServers": {
        /* files */
        "files": { "command": "npx", "args": ["a"] } // last
        // end
    },
    "z": [1, 2,],
}
`;
    expect(merge('cursor', file)).toBe(`// mine
{
    "theme": "dark", // first
    "mcpServers": {
        /* files */
        "files": { "command": "npx", "args": ["a"] }, // last
        // end
        "gateway": {
            "url": "http://g.example/mcp"
        }
    },
    "z": [1, 2,],
}
`);
  });

  it('replaces itself, and nothing else', () => {
    const file = '{"mcpServers":{"gateway":{"command":"old"},"b":{"command":"x"}},"n":1.50}';
    expect(merge('cursor', file)).toBe(
      `{"mcpServers":{"gateway":{
      "url": "http://g.example/mcp"
    },"b":{"command":"x"}},"n":1.50}`,
    );
    expect(merge('cursor', merge('cursor', file))).toBe(merge('cursor', file));
  });

  it('is added to a file without servers, and the line breaks and the mark stay', () => {
    expect(merge('vscode', '\uFEFF{\r\n\t"a": 1\r\n}\r\n')).toBe(
      '\uFEFF{\r\n\t"a": 1,\r\n\t"servers": {\r\n\t\t"gateway": {\r\n\t\t\t"type": "http",\r\n\t\t\t"url": "http://g.example/mcp"\r\n\t\t}\r\n\t}\r\n}\r\n',
    );
  });

  const NOT_JSON = 'the file is not valid JSON: correct it, or add the entry by hand';
  const twice = (key: string) => `the file has the key "${key}" more than once: remove one of them`;

  it.each([
    [NOT_JSON, '{"a": }'],
    [NOT_JSON, `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['the file is not a JSON object: correct it first', '[]'],
    ['"mcpServers" in the file is not an object: correct it first', '{"mcpServers": []}'],
    [twice('mcpServers'), '{"mcpServers": {}, "mcpServers": {}}'],
    [twice('gateway'), '{"mcpServers": {"gateway": 1, "\\u0067ateway": 2}}'],
  ])('is refused: %s', (problem, file) => {
    expect(merge('cursor', file)).toBe(`problem: ${problem}`);
  });

  it('changes no other value of any file', () => {
    const names = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'gateway', 'mcpServers'));
    const servers = fc.dictionary(names, fc.jsonValue());
    const documents = fc.record(
      { mcpServers: servers, other: fc.jsonValue() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(documents, fc.constantFrom(0, 2, '\t'), (document, indent) => {
        const text = merge('cursor', JSON.stringify(document, undefined, indent));
        const result = JSON.parse(text) as typeof document;
        expect(result.other).toEqual(JSON.parse(JSON.stringify(document)).other);
        const { gateway, ...rest } = result.mcpServers ?? {};
        expect(gateway).toEqual({ url: 'http://g.example/mcp' });
        const { gateway: _old, ...before } =
          (JSON.parse(JSON.stringify(document)) as typeof document).mcpServers ?? {};
        expect(rest).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });
});

describe('an entry in TOML', () => {
  it('starts a file, and ends another', () => {
    expect(merge('codex', '')).toBe('[mcp_servers.gateway]\nurl = "http://g.example/mcp"\n');
    expect(merge('codex', '# mine\nmodel = "x"\n')).toBe(
      '# mine\nmodel = "x"\n\n[mcp_servers.gateway]\nurl = "http://g.example/mcp"\n',
    );
  });

  it('replaces its tables, and everything else stays', () => {
    const file = `model = "x" # best

[mcp_servers.a]
command = "a"

[mcp_servers.gateway]
command = "old"
# old
args = ["x"]

[mcp_servers.gateway.env]
A = "b"

# about profiles
[profiles.fast]
model = "y"
`;
    expect(merge('codex', file)).toBe(`model = "x" # best

[mcp_servers.a]
command = "a"

[mcp_servers.gateway]
url = "http://g.example/mcp"

# about profiles
[profiles.fast]
model = "y"
`);
  });

  it('is refused where servers are no tables, or texts look like tables', () => {
    const problem =
      'problem: the file writes its servers in a form that cannot be changed in place: add the entry by hand';
    expect(merge('codex', 'mcp_servers = { gateway = { command = "a" } }')).toBe(problem);
    expect(merge('codex', 'note = """\n[mcp_servers.gateway]\na = 1\n[b]\n"""\n')).toBe(problem);
    expect(merge('codex', 'a = ')).toBe(
      'problem: the file is not valid TOML: correct it, or add the entry by hand',
    );
  });

  it('keeps dates and numbers', () => {
    const file = 'at = 1979-05-27T07:32:00Z\nn = 1_000\nf = 6.5e-3\n[mcp_servers]\n';
    expect(parse(merge('codex', file))).toMatchObject({ n: 1000, f: 0.0065 });
    expect(merge('codex', file)).toContain('at = 1979-05-27T07:32:00Z\nn = 1_000\n');
  });
});
