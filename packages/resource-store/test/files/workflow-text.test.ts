import type { JsonMap, JsonValue } from '@gateway/crd-schemas';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderWorkflowText } from '../../src/files/workflow-files.ts';
import { workflow, toWorkflowFile } from './workflow-documents.ts';

const rewrite = (before: string | undefined, spec?: JsonMap, metadata?: JsonMap): string => {
  const made = renderWorkflowText({
    workflow: workflow('a', spec, metadata),
    ...(before === undefined ? {} : { before }),
  });
  return made.ok ? made.text : `refused: ${made.reason}`;
};

describe('a hand-written file keeps every byte outside of spec', () => {
  const before = `%YAML 1.2
---
# What this is
# and why.

kind:   Workflow   # odd spacing
"metadata":
    annotations: {
      example.com/note:   "kept",   # a comment in here
    }
    name: 'a'

    # the team
    labels: {team:   x}
spec:   # what it does
    # how it is told
    description: >-
        folded
        text
    steps:
    - {id: old, tool: x_old}   # the first
    # and this

# about the version
apiVersion: gateway.internal/v1alpha1

status: {valid: false}
# the end
`;
  it('with comments, quotes, spaces and the order of keys', () => {
    expect(rewrite(before)).toBe(
      before
        .replace('>-\n        folded\n        text', 'Runs it.')
        .replace('{id: old, tool: x_old}', '{id: one, tool: x_s_run}'),
    );
  });
  const file = toWorkflowFile('a', 'x_old');
  const written = toWorkflowFile('a');
  const [rest = ''] = written.split('spec:');
  const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

  it.each([
    ['comes last', file, written],
    ['is all that follows', file.trimEnd(), written.trimEnd()],
    ['comes before a comment', `${file}\n\n# end`, `${written}\n\n# end`],
    ['is empty', `${rest}spec:\n`, written],
    ['is null', `${rest}spec: null\n`, written],
    ['is a tilde', `${rest}spec: ~`, written.trimEnd()],
    [
      'is on one line',
      `${rest}spec: {steps: [{id: b,\n  tool: c}]}\n`,
      `${rest}spec: {description: "Runs it.", steps: [{id: "one", tool: "x_s_run"}]}\n`,
    ],
    ['has other line ends', crlf(`${file}# end\n`), crlf(`${written}# end\n`)],
  ])('when spec %s', (_, text, expected) => {
    expect(rewrite(text)).toBe(expected);
  });
  it('with a block of text whose last line the new spec must not run into', () => {
    expect(rewrite(written.replace('Runs it.', '|+\n    text\n\n'))).toBe(
      toWorkflowFile('a').replace('Runs it.\n', 'Runs it.\n\n\n'),
    );
  });
  it('when edited again and again', () => {
    let text = before;
    for (const tool of ['x_1', 'x_2', 'x_3', 'x_s_run']) {
      text = rewrite(text, { steps: [{ id: 'one', tool }] });
    }
    expect(text).toBe(rewrite(before));
  });
});

describe('a file that cannot be edited byte by byte', () => {
  it('is edited key by key when it is written as one flow', () => {
    const before = `# top
{ "apiVersion": "gateway.internal/v1alpha1", "kind": "Workflow", # comment
  "metadata": { "labels": { "team": "x" }, "name": "a" },
  "spec": { "steps": [ { "id": "old", "tool": "x_old" } ] } }
`;
    const text = rewrite(before);
    expect(text).toMatch(/^# top\n/);
    expect(text).toMatch(/"?labels"?: \{ "?team"?: "x" \}/);
    expect(rewrite(text)).toBe(text);
  });
  it('gets the requested labels and annotations in addition to its own', () => {
    const before = toWorkflowFile('a').replace(
      'name: a',
      'name: a\n  labels: # ours\n    team: x # best\n    tier: "1"',
    );
    const metadata = { labels: { tier: '2' }, annotations: { note: 'n' } };
    const labels = '\n  labels: # ours\n    team: x # best\n    tier: "2"';
    expect(rewrite(before, {}, metadata)).toBe(
      toWorkflowFile('a').replace('name: a', `name: a${labels}\n  annotations:\n    note: "n"`),
    );
  });
  it('keeps its labels and the order of its keys when they are an alias into the old spec', () => {
    const before = `apiVersion: gateway.internal/v1alpha1
kind: Workflow
spec:
  steps: [{ id: old, tool: x_old, args: &labels { team: x } }]
metadata:
  name: a
  labels: *labels
`;
    expect(rewrite(before)).toBe(`apiVersion: gateway.internal/v1alpha1
kind: Workflow
spec:
  steps:
    - id: one
      tool: x_s_run
  description: Runs it.
metadata:
  name: a
  labels: { team: x }
`);
  });
});

describe('a new file', () => {
  it('writes nothing that an older reader of YAML takes for something else', () => {
    const args = { a: 'yes', b: 'no', c: '0o7', d: '1:30', e: '~', f: '2025-01-01', g: '' };
    const text = rewrite(undefined, { steps: [{ id: 'one', tool: 'x_s_run', args }] });
    const lines = Object.entries(args).map(([key, value]) => `        ${key}: "${value}"\n`);
    expect(text.split('args:\n')[1]).toBe(lines.join(''));
  });
  it('writes equal parts out, and long lines as they are', () => {
    const part = { text: `${'long '.repeat(60)}line` };
    const text = rewrite(undefined, {
      steps: [{ id: 'one', tool: 'x_s_run', args: { a: part, b: part } }],
    });
    expect(text.split('\n').filter((line) => line.includes('long long'))).toHaveLength(2);
    expect(text).not.toMatch(/[&*]a\d/);
  });
  it('refuses a text that could not be read again, with the reason', () => {
    const apiGroup = 'example.com';
    expect(renderWorkflowText({ workflow: workflow('a'), apiGroup })).toEqual({
      ok: false,
      reason: 'apiVersion: must be example.com/v1alpha1',
    });
  });
});

/** Any JSON with strings that YAML has opinions about. */
const json = fc.jsonValue({
  maxDepth: 4,
  stringUnit: fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 1 }) },
    fc.constantFrom(
      ...[' ', '\n', '\r', '\t', '\u2028', '\u0085', '\uFEFF', '\ud800', '#', ': ', '- ', '|', '>'],
      ...[
        '"',
        "'",
        '%',
        '@',
        '&',
        '*',
        '!',
        '{',
        '}',
        '[',
        ']',
        ',',
        '?',
        '---',
        '...',
        '<<',
        '\\',
      ],
    ),
  ),
});

const withArgument = (value: unknown): JsonMap => ({
  steps: [{ id: 'one', tool: 'x_s_run', args: { value: value as JsonValue } }],
});

/** Templates are refused where they are wrong, which is not what is asked here. */
const isPlain = (value: unknown): boolean => !JSON.stringify(value).includes('{{');

describe('with any arguments of a step', () => {
  it('the text has the same content when it is read, also with an existing file', () => {
    fc.assert(
      fc.property(json.filter(isPlain), (value) => {
        const asked = workflow('a', withArgument(value));
        for (const before of [undefined, toWorkflowFile('a', 'x_old')]) {
          const made = renderWorkflowText({ workflow: asked, ...(before && { before }) });
          // That it is read back and compared is part of making it.
          expect(made.ok).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});

it('returns a text or a reason, for any existing text', () => {
  const pieces = fc.constantFrom(
    ...['spec:', '\n', '  ', 'metadata:', ' {', '}', ' [', ']', '# x', 'name: a', '---\n', '...\n'],
    ...['&a ', '*a', '|\n', '"', "'", '? ', ': ', '- ', '\t', '\r\n', 'labels: {a: b}'],
    toWorkflowFile('a', 'x_old'),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      expect(renderWorkflowText({ workflow: workflow('a'), before: parts.join('') }).ok).toBe(true);
    }),
    { numRuns: 300 },
  );
});
