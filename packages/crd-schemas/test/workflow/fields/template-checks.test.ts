import { describe, expect, it } from 'vitest';
import { parseWorkflowDefinition } from '../../../src/index.ts';
import { call, refusalOf, withCondition, withLoop, withSpec, withSteps } from '../workflows.ts';

const BROKEN = 'Hello\n  {{ .input.name | shout }}';
const AT = 'template line 2, column 20: function "shout" not defined';

describe('a template that cannot be parsed is a problem of the document', () => {
  it('in arguments of a step, at any depth', () => {
    expect(
      refusalOf(withSteps(call({ args: { a: BROKEN, b: [{ c: ['fine', BROKEN] }] } }))),
    ).toEqual([`spec.steps[0].args.a: ${AT}`, `spec.steps[0].args.b[0].c[1]: ${AT}`]);
  });
  it('in arguments of a sub-step, wherever it stands', () => {
    const sub = { id: 'sub', tool: 't', args: { a: BROKEN } };
    expect(refusalOf(withLoop([sub]))).toEqual([`spec.steps[0].forEach.steps[0].args.a: ${AT}`]);
    expect(refusalOf(withSteps({ id: 'p', parallel: [sub] }))).toEqual([
      `spec.steps[0].parallel[0].args.a: ${AT}`,
    ]);
    expect(refusalOf(withSpec({ onFailure: [sub] }))).toEqual([`spec.onFailure[0].args.a: ${AT}`]);
  });
  it('in a condition', () => {
    expect(refusalOf(withCondition({ template: BROKEN }))).toEqual([
      `spec.steps[0].condition.template: ${AT}`,
    ]);
    expect(
      refusalOf(withCondition({ tool: 't', args: { a: [BROKEN] }, expect: { success: true } })),
    ).toEqual([`spec.steps[0].condition.args.a[0]: ${AT}`]);
  });
  it('in the list of a loop', () => {
    expect(refusalOf(withLoop([call()], { items: BROKEN }))).toEqual([
      `spec.steps[0].forEach.items: ${AT}`,
    ]);
  });
  it('in values and keys of jsonPath', () => {
    const jsonPath = { name: { deep: BROKEN }, '{{ .result.a | shout }}': 1 };
    expect(refusalOf(withCondition({ tool: 't', expect: { jsonPath } }))).toEqual([
      `spec.steps[0].condition.expect.jsonPath.name.deep: ${AT}`,
      'spec.steps[0].condition.expect.jsonPath["{{ .result.a | shout }}"]: template line 1, column 16: function "shout" not defined',
    ]);
  });
  it('in the output', () => {
    expect(refusalOf(withSpec({ output: { list: [{ a: BROKEN }] } }))).toEqual([
      `spec.output.list[0].a: ${AT}`,
    ]);
  });
  it('in a definition, in words about steps', () => {
    const steps = [
      { id: 'l', for_each: { items: BROKEN, steps: [call({ args: { a: BROKEN } })] } },
    ];
    expect(parseWorkflowDefinition({ name: 'w', steps })).toEqual({
      ok: false,
      error: [
        `steps: step l: forEach.items: ${AT}`,
        `steps: step l forEach sub-step a: args.a: ${AT}`,
      ],
    });
  });
});

describe('what can be parsed is fine', () => {
  it.each([
    '{{ .input.name }}',
    '{{ .results.get-pods.items }}',
    'Hello {{ .input.name | upper | quote }}!',
    '{{ range $i, $x := .input.list }}{{ $i }}{{ else }}none{{ end }}',
    '',
  ])('%j', (text) => {
    const output = { a: text };
    expect(refusalOf(withSpec({ steps: [call({ args: { a: [text] } })], output }))).toEqual([]);
  });
  it.each(['only closed }}', '{ single }', '${HOME}', '{% x %}'])(
    '%j, which is no template, in a value',
    (text) => {
      expect(refusalOf(withSteps(call({ args: { a: text } })))).toEqual([]);
    },
  );
  it.each(['{{ "{{" }} is a literal', '{{ "{{" }}'])('%j, which prints the braces', (text) => {
    expect(refusalOf(withSteps(call({ args: { a: text } })))).toEqual([]);
  });
});

describe('an action that is opened and not closed', () => {
  const open = { deep: [{ text: 'Hello {{ .input.name' }] };
  const UNCLOSED = 'template line 1, column 7: unclosed action';

  it('is refused where it stands', () => {
    const check = { tool: 't', args: open, expect: { jsonPath: { a: open } } };
    const steps = [call({ args: open }), call({ id: 'b', condition: check })];
    expect(refusalOf(withSpec({ steps, output: open }))).toEqual([
      `spec.steps[0].args.deep[0].text: ${UNCLOSED}`,
      `spec.steps[1].condition.args.deep[0].text: ${UNCLOSED}`,
      `spec.steps[1].condition.expect.jsonPath.a.deep[0].text: ${UNCLOSED}`,
      `spec.output.deep[0].text: ${UNCLOSED}`,
    ]);
  });

  it('is accepted where texts are not templates', () => {
    const args = { '{{': 1, a: '{"a":{"b":1}}' };
    const defaults = { text: { type: 'string', default: 'Hello {{ .input.name' } };
    expect(refusalOf(withSpec({ args: defaults, steps: [call({ args })], output: args }))).toEqual(
      [],
    );
  });
});

describe('a condition and a list', () => {
  it('are refused the same way', () => {
    expect(refusalOf(withCondition({ template: '{{ .input.a' }))).toEqual([
      'spec.steps[0].condition.template: template line 1, column 1: unclosed action',
    ]);
    expect(refusalOf(withLoop([call()], { items: '{{ .input.a' }))).toEqual([
      'spec.steps[0].forEach.items: template line 1, column 1: unclosed action',
    ]);
    expect(refusalOf(withCondition({ template: 'true' }))).toEqual([]);
  });
  it('keys of arguments and of the output are never templates', () => {
    const map = { '{{ end }}': 1 };
    expect(refusalOf(withSpec({ steps: [call({ args: map })], output: map }))).toEqual([]);
  });
  it('neither are descriptions, names of tools and defaults', () => {
    const text = '{{ end }}';
    const args = { a: { type: 'string', default: text, description: text } };
    const steps = [call({ tool: text, description: text })];
    expect(refusalOf(withSpec({ description: text, args, steps }))).toEqual([]);
  });
});

describe('paths of jsonPath', () => {
  const withPath = (path: string): unknown =>
    withCondition({ tool: 't', expectNot: { jsonPath: { [path]: 1 } } });
  it.each(['a', 'items[0].name', 'labels["a.b"]', 'a-b', '$.items[*].name', '{{ .result.a }}'])(
    'may be %s',
    (path) => {
      expect(refusalOf(withPath(path))).toEqual([]);
    },
  );
  it.each([
    ['items[', "unterminated index in path 'items['"],
    ['a[-1]', 'invalid array index "-1" in path \'a[-1]\''],
    ['a..b', "empty segment in path 'a..b'"],
    ['$.a[?(@.b)]', "filters and scripts are not allowed in path '$.a[?(@.b)]'"],
    ['{{ .result.a', 'template line 1, column 1: unclosed action'],
  ])('may not be %s', (path, message) => {
    expect(refusalOf(withPath(path))).toEqual([
      `spec.steps[0].condition.expectNot.jsonPath["${path}"]: ${message}`,
    ]);
  });
});
