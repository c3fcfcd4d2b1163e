import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/yaml/parse-yaml.ts';

const valueOf = (text: string): unknown => {
  const parsed = parseYaml(text);
  return parsed.ok ? parsed.value : parsed.problems;
};
const problemsOf = (text: string): readonly string[] => {
  const parsed = parseYaml(text);
  return parsed.ok
    ? []
    : parsed.problems.map(
        ({ line, column, message }) => `${String(line)}:${String(column)}: ${message}`,
      );
};

describe('one document of plain data', () => {
  it('is parsed as YAML 1.2: yes, dates and merge keys have no special meaning', () => {
    expect(valueOf('a: yes\nb: 2020-01-01\nc: 0x1F\nd: true\ne:\n<<: {f: 1}\n')).toEqual({
      a: 'yes',
      b: '2020-01-01',
      c: 31,
      d: true,
      e: null,
      '<<': { f: 1 },
    });
  });
  it('stays YAML 1.2 when the text asks for 1.1', () => {
    expect(valueOf('%YAML 1.1\n---\na: yes\nb: 2020-01-01\n')).toEqual({
      a: 'yes',
      b: '2020-01-01',
    });
  });
  it('has string keys', () => {
    expect(valueOf('8080: a\ntrue: b\n')).toEqual({ '8080': 'a', true: 'b' });
    expect(problemsOf('? [a]\n: b\n')).toEqual(['1:3: a key must be a text']);
    expect(problemsOf('a: { {b: 1}: 2}\n')).toEqual(['1:6: a key must be a text']);
  });
  it('accepts __proto__ as an ordinary key', () => {
    const value = valueOf('__proto__: {x: 1}\nconstructor: 2\n') as object;
    expect(Object.entries(value)).toEqual([
      ['__proto__', { x: 1 }],
      ['constructor', 2],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
  it.each(['', '# nothing\n', '---\n'])('is null when the text is %j', (text) => {
    expect(valueOf(text)).toBe(null);
  });
  it('may end with a document end marker', () => {
    expect(valueOf('a: 1\n...\n')).toEqual({ a: 1 });
  });
});

const NO_ANCHOR = 'an alias has no anchor before it; write a text that begins with "*" in quotes';

describe('problems have positions', () => {
  it.each([
    ['a: 1\n---\nb: 2\n', '2:1: holds more than one document; write one resource per file'],
    ['a: 1\n---\n', '2:1: holds more than one document; write one resource per file'],
    ['a: 1\nb:\n  c: 1\n  c: 2\n', '4:3: a key is repeated'],
    ['1: a\n"1": b\n', '2:1: a key is repeated'],
    ['a: !foo 1\n', '1:4: a tag is not supported; write a plain value'],
    ['a: !!binary aGk=\n', '1:4: a tag is not supported; write a plain value'],
    ['a: 1\nb: *b\n', `2:4: ${NO_ANCHOR}`],
    ['a: [*b, &b 1]\n', `1:5: ${NO_ANCHOR}`],
    ['a: b\n\tc: d\n', '2:1: tabs are not allowed as indentation'],
    ['a: "x\nb: 3', '2:5: a closing quote is missing'],
    ['a: |secret\n  b\n', '1:5: a character or an item is not allowed here'],
    ['a: "\\q"\n', '1:5: a text in double quotes has an invalid escape sequence'],
    ['%secret x\n---\na: 1\n', '1:1: a directive is invalid; remove the line that begins with "%"'],
  ])('%j: %s', (text, problem) => {
    expect(problemsOf(text)[0]).toBe(problem);
  });
  it.each(['a: {{ .b }}\n', 'a: {{ .b | upper }}\n', 'a: [{{ .b }}]\n', 'a: {{.b}} c\n'])(
    '%j: a template without quotes',
    (text) => {
      expect(problemsOf(text)[0]).toMatch(
        /^1:[56]: a text that begins with "\{\{" must be in quotes, as '\{\{ \.\.\. \}\}'$/u,
      );
    },
  );
  it('accepts a quoted template', () => {
    expect(valueOf("a: '{{ .b }}'\n")).toEqual({ a: '{{ .b }}' });
  });
  it('reports every repeated key', () => {
    expect(problemsOf('a: 1\na: 2\nb: {c: 1, c: 2}\n')).toEqual([
      '2:1: a key is repeated',
      '3:11: a key is repeated',
    ]);
  });
});

const SECRET = 'hunter2-canary';

/** Positions of a secret in a text that is not valid, or not plain data. */
const UNPARSABLE = [
  ...['*S', '!S x', '!<S> x', '!!S x', '|S\n  x', '>2S\n  x', '&S &b x', '&S', '"\\S', '"S'].map(
    (text) => `token: ${text}`,
  ),
  ...[
    "token: 'S",
    'token: `S',
    'token: @S',
    'token: %S\n%S',
    '%S\n---\na: 1',
    '%YAML S\n---\na: 1',
  ],
  ...['%TAG S\n---\na: 1', 'S: 1\nS: 2', '? S\n? S', 'a: b: S', 'a:\n  S\n b: c', 'S\nS: 1', '[S'],
  ...['{S: 1', '{S: 1}}', '{{ S }}: 1', '- a\nS', 'a: 1\n---\nS: 1', 'a: 1\n...S'],
  ...[`a: ${'x'.repeat(1_025)}S: y`, `a: *${'S'.repeat(60_000)}`, `a: !${'S'.repeat(60_000)} b`],
].map((text) => text.replaceAll('S', SECRET));

describe('problems repeat nothing of the text', () => {
  it.each(UNPARSABLE.map((text) => [text.slice(0, 60), text]))('%j', (_shown, text) => {
    const problems = problemsOf(text);
    expect(problems.join('\n')).not.toContain(SECRET);
    expect(problems.every((problem) => problem.length < 300)).toBe(true);
  });
  it('whatever is inserted, deleted or repeated', () => {
    const piece = fc.constantFrom(
      ...`${SECRET} : - ? & * ! | > [ ] { } , # " ' % @ \` \\`.split(' '),
    );
    const space = fc.constantFrom('', ' ', '\n', '\n  ', '\t');
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, space), { maxLength: 30 }), (pieces) => {
        expect(problemsOf(pieces.flat().join('')).join('\n')).not.toContain(SECRET);
      }),
      { numRuns: 2_000 },
    );
  });
  it('and are at most 20', () => {
    expect(problemsOf(`"${'\\q'.repeat(50_000)}"`)).toHaveLength(20);
    expect(problemsOf('a: 1\n'.repeat(50_000))).toHaveLength(20);
    expect(problemsOf('a: !x 1\n'.repeat(50_000))).toHaveLength(20);
  });
});

describe('hostile texts of 1 MiB are refused quickly', () => {
  const mib = 1_048_576;
  it.each([
    ['flow lists', '['.repeat(mib)],
    ['flow maps', '{a: '.repeat(mib / 4)],
    ['block lists', '- '.repeat(mib / 2)],
    ['explicit keys', '? '.repeat(mib / 2)],
    ['empty keys', ': '.repeat(mib / 2)],
  ])('%s', (_what, text) => {
    expect(problemsOf(text)).toEqual(['1:1: nests deeper than 100 levels']);
  });
  it('accepts 90 levels', () => {
    expect(problemsOf('['.repeat(90) + ']'.repeat(90))).toEqual([]);
  });
  it('refuses aliases that multiply', () => {
    const levels = Array.from({ length: 8 }, (_, level) => {
      const item = level === 0 ? '1' : `*a${String(level - 1)}`;
      return `a${String(level)}: &a${String(level)} [${Array(10).fill(item).join(', ')}]`;
    });
    expect(problemsOf(levels.join('\n'))).toEqual(['1:1: holds more than 200000 values']);
  });
  it('refuses an alias inside its own anchor', () => {
    expect(problemsOf('a: &x [*x]\n')).toEqual([
      '1:1: nests deeper than 100 levels through its aliases',
    ]);
  });
  it('accepts aliases within the bounds', () => {
    expect(valueOf('a: &x [1]\nb: *x\nc: *x\n')).toEqual({ a: [1], b: [1], c: [1] });
  });
  it('reads 20000 keys of one mapping', () => {
    const keys = Array.from({ length: 20_000 }, (_, n) => `k${String(n)}: ${String(n)}`);
    expect(Object.keys(valueOf(keys.join('\n')) as object)).toHaveLength(20_000);
  });
  it('never throws', () => {
    const alphabet = fc.constantFrom(...'ab:-?&*!|>[]{},#"\'%@`\n \t\\\0é😀'.split(''));
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 60 }), (characters) => {
        const parsed = parseYaml(characters.join(''));
        expect(parsed.ok || parsed.problems.length > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('positions', () => {
  const text = '# head\nspec:\n  args:\n    - a\n    - b\n  base: &b {k: 1}\n  copy: *b\n';
  const parsed = parseYaml(text);
  it.each([
    [[], 2, 1],
    [['spec'], 2, 1],
    [['spec', 'args'], 3, 3],
    [['spec', 'args', 1], 5, 7],
    [['spec', 'base', 'k'], 6, 13],
    [['spec', 'copy', 'k'], 6, 13],
  ])('finds %j at %d:%d', (path, line, column) => {
    expect(parsed.ok && parsed.locate(path)).toEqual({ line, column });
  });
  it.each([
    [['spec', 'command'], 2, 1],
    [['spec', 'args', 7], 3, 3],
    [['metadata', 'name'], 2, 1],
    [['spec', 'args', 'x'], 3, 3],
    [['spec', '__proto__'], 2, 1],
  ])('finds the missing path %j at its deepest existing part, %d:%d', (path, line, column) => {
    expect(parsed.ok && parsed.locate(path)).toEqual({ line, column });
  });
  it('is 1:1 in an empty text', () => {
    const empty = parseYaml('');
    expect(empty.ok && empty.locate(['a'])).toEqual({ line: 1, column: 1 });
  });
});
