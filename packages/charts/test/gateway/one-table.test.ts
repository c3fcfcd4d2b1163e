import { listCelRules } from '@gateway/crd-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { createSpecSchema } from '../../src/chart-schema.ts';
import { templateTexts } from '../harness/template-texts.ts';
import { verdictsOf } from '../harness/verdicts.ts';

const HEADER_CASE = 'whatever the case of its name';
const KEYS = { MCPServer: 'mcpservers', Workflow: 'workflows' } as const;

/**
 * A chart refuses a document in two steps: Helm validates the values with the schema of the resource, then templates validate the
 * combinations of fields. They refuse with the first sentence of the gateway, at the path of the value.
 */
describe.each(['MCPServer', 'Workflow'] as const)('the table of verdicts on %s', (kind) => {
  const fits = new Ajv2020().compile(createSpecSchema(kind));
  const key = KEYS[kind];
  const verdicts = verdictsOf(kind);
  const messages = listCelRules(kind).map(({ message }) => message);
  const isOfRule = (line: string): boolean =>
    messages.some((message) => line.endsWith(`: ${message}`));
  const passing = verdicts.filter(({ spec }) => fits(spec));
  /** The chart also states the rule about the case of names of headers, which CEL cannot. */
  const isOfChart = (line: string): boolean => isOfRule(line) || line.endsWith(HEADER_CASE);

  it('is one of documents that the schema refuses and of those that it passes', () => {
    expect(verdicts.length).toBeGreaterThan(100);
    const refused = verdicts.filter(({ spec }) => !fits(spec));
    expect(refused.length).toBeGreaterThan(20);
    expect(refused.filter((verdict) => verdict.refused.length === 0)).toEqual([]);
    const stated = passing.flatMap((verdict) => verdict.refused);
    for (const message of messages)
      expect(stated.some((line) => line.endsWith(`: ${message}`))).toBe(true);
  });

  it('is that of the chart, in the sentences of the gateway', async () => {
    const values = passing.map(({ spec }) => ({
      // Files need a value for each Secret, which is a rule of the chart alone.
      muster: { kubernetes: { enabled: true, allowStdio: true } },
      [key]: { any: { spec } },
    }));
    const texts = await templateTexts('gateway', '{{ include "gateway.problem" . }}', values);
    const expected = passing.map(({ title, refused }) => {
      const [first = ''] = refused.filter(isOfChart);
      return `${title} => ${first === '' ? '' : `${key}.any.${first}`}`;
    });
    expect(passing.map(({ title }, index) => `${title} => ${texts[index] ?? ''}`)).toEqual(
      expected,
    );
  });

  it('leaves to the gateway only what no rule in CEL states', () => {
    const others = passing.filter(({ refused }) => refused.some((line) => !isOfRule(line)));
    expect(others.filter(({ isOutsideCel }) => !isOutsideCel)).toEqual([]);
  });
});
