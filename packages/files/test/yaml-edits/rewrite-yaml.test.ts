import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/yaml/parse-yaml.ts';
import { rewriteYaml } from '../../src/yaml/rewrite-yaml.ts';

const HAND_WRITTEN = `# The tracker of the team.
apiVersion: gateway.internal/v1alpha1
kind: MCPServer

metadata:
    name: tracker   # as in the wiki
    labels: { team: 'x' }

spec:
    # It is quick.
    type: stdio
    command: "npx"      # found on PATH
    args:
    - -y
    # the version that we tested
    - 'tracker@1.2.3'   # do not raise
    - --all
    env:
        LEVEL: info

        # from the vault
        TOKEN: 'abc'
    description: >-
        Tracks
        issues.
    autoStart: yes-please
# the end
`;

type Values = Record<string, unknown>;

const valueOf = (text: string): Values => {
  const parsed = parseYaml(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value as Values;
};

const specOf = (text: string): Values => valueOf(text)['spec'] as Values;

/** The text with other values under `spec`. */
const withSpec = (text: string, change: (spec: Values) => Values): string | undefined => {
  const value = valueOf(text);
  return rewriteYaml(text, { ...value, spec: change(specOf(text)) });
};

const changed = (from: string, to: string): string => {
  expect(HAND_WRITTEN).toContain(from);
  return HAND_WRITTEN.replace(from, to);
};

describe('preserves every byte outside the change', () => {
  it('when nothing changes', () => {
    expect(rewriteYaml(HAND_WRITTEN, valueOf(HAND_WRITTEN))).toBe(HAND_WRITTEN);
  });
  it.each<[string, Values, string, string]>([
    [
      'a text in quotes, which stays in quotes, and the comment behind it',
      { command: 'node' },
      '"npx"      # found',
      '"node"      # found',
    ],
    [
      'a folded text',
      { description: 'Other.' },
      '>-\n        Tracks\n        issues.\n',
      'Other.\n',
    ],
    [
      'a text that gets lines',
      { command: 'a\nb\n' },
      'command: "npx"      # found on PATH\n',
      'command: "a\\nb\\n"      # found on PATH\n',
    ],
    [
      'one value of a mapping',
      { env: { LEVEL: 'debug', TOKEN: 'abc' } },
      'LEVEL: info',
      'LEVEL: debug',
    ],
    [
      'a key that comes, behind those that are there',
      { env: { LEVEL: 'info', TOKEN: 'abc', MORE: '1' } },
      `TOKEN: 'abc'\n`,
      `TOKEN: 'abc'\n        MORE: "1"\n`,
    ],
    [
      'a key that goes, while the comment above it stays',
      { env: { LEVEL: 'info' } },
      `        TOKEN: 'abc'\n`,
      '',
    ],
    [
      'a mapping that becomes empty',
      { env: {} },
      `env:\n        LEVEL: info\n\n        # from the vault\n        TOKEN: 'abc'\n`,
      'env: {}\n',
    ],
    [
      'an item of a list, with the comments around it',
      { args: ['-y', 'tracker@2', '--all'] },
      `'tracker@1.2.3'   #`,
      `'tracker@2'   #`,
    ],
    [
      'an item that comes in between',
      { args: ['-y', 'tracker@1.2.3', '--fast', '--all'] },
      '    - --all\n',
      '    - --fast\n    - --all\n',
    ],
    [
      'an item that comes first',
      { args: ['-q', '-y', 'tracker@1.2.3', '--all'] },
      '    - -y\n',
      '    - -q\n    - -y\n',
    ],
    [
      'an item that comes last',
      { args: ['-y', 'tracker@1.2.3', '--all', '--new'] },
      '    - --all\n',
      '    - --all\n    - --new\n',
    ],
    [
      'an item that goes',
      { args: ['-y', '--all'] },
      `    - 'tracker@1.2.3'   # do not raise\n`,
      '',
    ],
    [
      'a list that becomes a text',
      { args: 'none' },
      `args:\n    - -y\n    # the version that we tested\n    - 'tracker@1.2.3'   # do not raise\n    - --all\n`,
      'args: none\n',
    ],
    [
      'a text that becomes a list, in the layout of the file',
      { command: ['a', { b: { c: 1 } }] },
      'command: "npx"      # found on PATH\n',
      'command:      # found on PATH\n    - a\n    - b:\n          c: 1\n',
    ],
    [
      'a text that looks like something else gets quotes',
      { autoStart: 'yes' },
      'yes-please',
      '"yes"',
    ],
    ['a boolean', { autoStart: true }, 'yes-please', 'true'],
    [
      'a key at the end of all, with a mapping',
      { family: { name: 'f', instanceArg: 'i' } },
      'autoStart: yes-please\n',
      'autoStart: yes-please\n    family:\n        name: f\n        instanceArg: i\n',
    ],
  ])('next to %s', (_what, change, from, to) => {
    const next = withSpec(HAND_WRITTEN, (spec) => ({ ...spec, ...change }));
    expect(next).toBe(changed(from, to));
  });
  it('next to several changes at once', () => {
    const next = withSpec(HAND_WRITTEN, ({ env: _gone, ...spec }) => ({
      ...spec,
      type: 'sse',
      url: 'https://example.com/sse',
    }));
    expect(next).toBe(
      HAND_WRITTEN.replace('type: stdio', 'type: sse')
        .replace(/ {4}env:\n[^]*TOKEN: 'abc'\n/, '')
        .replace('yes-please\n', 'yes-please\n    url: https://example.com/sse\n'),
    );
  });
});

const rewritten = (text: string, value: Values): string | undefined => rewriteYaml(text, value);

describe('layouts', () => {
  it.each<[string, string, Values, string]>([
    ['no line break at the end', 'a: 1', { a: 1, b: 2 }, 'a: 1\nb: 2'],
    [
      'line breaks of two characters',
      'a: 1\r\n# c\r\nb: 2\r\n',
      { a: [1], b: 2 },
      'a:\r\n  - 1\r\n# c\r\nb: 2\r\n',
    ],
    ['a list on one line', "a: ['x', 'y'] # c\n", { a: ['x', 'z'] }, "a: ['x', 'z'] # c\n"],
    ['a longer list on one line', 'a: ["x"] # c\n', { a: ['x', 'y z'] }, 'a: ["x", "y z"] # c\n'],
    [
      'a list of plain texts on one line',
      'a: [ x, y ]\n',
      { a: ['x', 'yes', 'w'] },
      'a: [ x, "yes", w ]\n',
    ],
    [
      'a mapping on one line',
      'a: { b: 1, c: 2 } # d\n',
      { a: { c: 3, b: 1 } },
      'a: { b: 1, c: 3 } # d\n',
    ],
    [
      'a smaller mapping on one line',
      'a: { b: 1, c: 2 } # d\n',
      { a: { c: 2 } },
      'a: { c: 2 } # d\n',
    ],
    ['JSON', '{\n  "a": 1,\n  "b": "x"\n}\n', { a: 1, b: 'y' }, '{\n  "a": 1,\n  "b": "y"\n}\n'],
    ['an empty value', 'a:\nb: 1\n', { a: { c: 1 }, b: 1 }, 'a:\n  c: 1\nb: 1\n'],
    ['an empty value with a comment', 'a: # here\nb: 1\n', { a: 'x', b: 1 }, 'a: x # here\nb: 1\n'],
    ['an empty mapping', 'a: {}\nb: 1\n', { a: { c: 1 }, b: 1 }, 'a:\n  c: 1\nb: 1\n'],
    [
      'a literal text',
      'a: |\n  x\n  y\n\nb: 1\n',
      { a: 'x\nz\n', b: 1 },
      'a: |\n  x\n  z\n\nb: 1\n',
    ],
    ['mappings in a list', '- 1\n', {}, '{}\n'],
    [
      'keys in a list',
      'a:\n  - b: 1 # one\n    c: 2\n  - d: 3\n',
      { a: [{ c: 4 }, { d: 3 }] },
      'a:\n  - c: 4\n  - d: 3\n',
    ],
    [
      'one of the keys in a list',
      'a:\n  - b: 1 # one\n    c: 2\n',
      { a: [{ b: 1, c: 4, d: 5 }] },
      'a:\n  - b: 1 # one\n    c: 4\n    d: 5\n',
    ],
    ['lists in lists', 'a:\n  - - 1 # x\n    - 2\n', { a: [[1, 3]] }, 'a:\n  - - 1 # x\n    - 3\n'],
    ['two documents marks', '---\na: 1\n...\n', { a: 2, b: 3 }, '---\na: 2\nb: 3\n...\n'],
    ['comments alone', '# nothing yet\n', { a: 1 }, '# nothing yet\na: 1\n'],
    ['nothing', '', { a: 1 }, 'a: 1\n'],
    ['a key in quotes', '"a b": 1\n', { 'a b': 2, 'c: d': 3 }, '"a b": 2\n"c: d": 3\n'],
    [
      'the key __proto__',
      'a: 1\n',
      JSON.parse('{"a":1,"__proto__":{"b":1}}') as Values,
      'a: 1\n__proto__:\n  b: 1\n',
    ],
    ['lines of blanks between', 'a: 1\n\n\nb: 2\n\n', { b: 3 }, '\n\nb: 3\n\n'],
    [
      'emoji and combining characters',
      'a: "\u{1F600}" # é\nb: 1\n',
      { a: '\u{1F600}\u{1F600}', b: 2 },
      'a: "\u{1F600}\u{1F600}" # é\nb: 2\n',
    ],
  ])('follows %s', (_what, text, value, expected) => {
    expect(rewritten(text, value)).toBe(expected);
  });
  it('expands aliases and preserves comments when a value with an anchor changes', () => {
    const text = '# top\na: &x { b: 1 } # here\nc: *x\n';
    expect(rewritten(text, { a: { b: 2 }, c: { b: 1 } })).toBe(
      '# top\na: { b: 2 } # here\nc: { b: 1 }\n',
    );
  });
  it('preserves comments of a text with explicit keys', () => {
    expect(rewritten('# top\n? a\n: 1 # one\nb: 2\n', { a: 1, b: 3 })).toContain('# top\n');
  });
  it('returns undefined for invalid YAML', () => {
    expect(rewritten('a: [', { a: 1 })).toBeUndefined();
  });
});

const leaf = fc.oneof(
  fc.constantFrom(
    ...['', ' x', 'x: y', '# c', '- a', 'yes', '1', 'null', 'a\nb', 'a\n\n', '"', "'", '%'],
    ...['{{ .input.x }}', '\u{1F600}', '\t', '|', '&a', '*a', '!t'],
  ),
  fc.string({ maxLength: 12 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'd e', 'yes', '1', '- x', '#', '__proto__', 'constructor'),
  fc.string({ maxLength: 6 }),
);
const tree = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'd' },
    leaf,
    fc.array(tie('node'), { maxLength: 4, depthIdentifier: 'd' }),
    fc.dictionary(key, tie('node'), { maxKeys: 4, depthIdentifier: 'd', noNullPrototype: true }),
  ),
})).node;
const mapping = fc.dictionary(key, tree, { maxKeys: 5, noNullPrototype: true });

it('adds items to a list and to the last list in it', () => {
  const text = "kept:   'as is'\na:\n  - - one\n# between\n";
  expect(rewriteYaml(text, { kept: 'as is', a: [['one', 'two'], ['three']] })).toBe(
    "kept:   'as is'\na:\n  - - one\n    - two\n  - - three\n# between\n",
  );
});

it('any wanted value is the content of the result, and a key with an equal value keeps its lines', () => {
  fc.assert(
    fc.property(mapping, mapping, fc.constantFrom('\n', '\r\n'), (before, after, lineBreak) => {
      const kept = "kept:   'as is'   # by hand\n# between\n".replaceAll('\n', lineBreak);
      const start = rewriteYaml(kept, { ...before, kept: 'as is' });
      expect(start?.startsWith(kept.slice(0, 20))).toBe(true);
      const next = rewriteYaml(start ?? '', { ...after, kept: 'as is' });
      expect(next?.startsWith(kept.slice(0, 20))).toBe(true);
      expect(valueOf(next ?? '')).toEqual({ ...after, kept: 'as is' });
      expect(rewriteYaml(next ?? '', { ...after, kept: 'as is' })).toBe(next);
    }),
    { numRuns: 300 },
  );
});
