import { describe, expect, it } from 'vitest';
import type { JsonMap } from '../../src/values/json-value.ts';
import { parseValue } from '../../src/value-templates/value-template.ts';
import { renderParsed } from './render-parsed.ts';
import { CONTROL } from './tables/control.ts';
import { INDEXING, LOGIC, PRINTING } from './tables/go-functions.ts';
import { LAYOUT } from './tables/layout.ts';
import { REFERENCES } from './tables/references.ts';
import { SYNTAX_ERRORS } from './tables/syntax-errors.ts';
import type { TemplateCase } from './tables/template-case.ts';

const limits = { maxBytes: 1_000_000, now: () => 0 };

const outcomeOf = (given: TemplateCase, input: JsonMap): unknown => {
  const data = { input: given.data ?? input, results: {}, vars: {}, context: {} };
  const rendered = renderParsed(parseValue(given.template), data, limits);
  return rendered.ok ? { gives: rendered.value } : { fails: rendered.error };
};

describe.each([REFERENCES, CONTROL, LAYOUT, LOGIC, INDEXING, PRINTING, SYNTAX_ERRORS])(
  'templates: $about',
  ({ cases, input }) => {
    it.each(cases.map((given) => [given.template, given] as const))('%j', (template, given) => {
      const expected = 'gives' in given ? { gives: given.gives } : { fails: given.fails };
      expect(outcomeOf(given, input), template).toEqual(expected);
    });
  },
);
