import { describe, expect, it } from 'vitest';
import type { JsonMap } from '../../src/values/json-value.ts';
import { parseValue } from '../../src/value-templates/value-template.ts';
import { readCases } from '../read-cases.ts';
import { renderParsed } from './render-parsed.ts';

const limits = { maxBytes: 1_000_000, now: () => 0 };

const render = (template: string, input: string): string => {
  const data = { input: JSON.parse(input) as JsonMap, results: {}, vars: {}, context: {} };
  const rendered = renderParsed(parseValue(template), data, limits);
  return rendered.ok ? JSON.stringify(rendered.value) : `! ${rendered.error}`;
};

describe.each(readCases(new URL('templates.txt', import.meta.url)))(
  'templates: $about',
  ({ cases, input }) => {
    it.each(cases)('%s => %s', (template, result) => {
      expect(render(template, input)).toBe(result);
    });
  },
);
