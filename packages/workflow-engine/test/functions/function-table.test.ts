import { TEMPLATE_FUNCTIONS } from '@gateway/crd-schemas';
import { describe, expect, it } from 'vitest';
import { FUNCTION_TABLE } from '../../src/functions/function-table.ts';
import { rendered } from './rendered.ts';

describe('the function table', () => {
  it('has exactly the functions that the parser knows', () => {
    expect(Object.keys(FUNCTION_TABLE).sort()).toEqual(Object.keys(TEMPLATE_FUNCTIONS).sort());
  });

  it.each(Object.entries(FUNCTION_TABLE))('documents %s with its name first', (name, entry) => {
    expect(entry.signature.split(' ')[0]).toBe(name);
    expect(entry.example.template).toContain(name);
    expect(entry.summary.endsWith('.')).toBe(true);
  });

  it.each(Object.entries(FUNCTION_TABLE))('prints what the example of %s says', (_name, entry) => {
    expect(rendered(entry.example.template)).toBe(entry.example.prints);
  });
});
