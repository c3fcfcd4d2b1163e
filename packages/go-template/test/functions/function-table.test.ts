import { TEMPLATE_FUNCTIONS } from '../../src/syntax/function-arities.ts';
import { expect, it } from 'vitest';
import { FUNCTION_TABLE } from '../../src/functions/function-table.ts';
import { LEFT_OUT } from '../../sprig-differences.ts';
import { requirement } from '../requirement.ts';
import { rendered } from './render-function.ts';

requirement('2.7/template-functions', () => {
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

  it.each(LEFT_OUT.flatMap(({ names }) => names))('has no function %s', (name) => {
    expect(rendered(`{{ ${name} }}`)).toBe(`! function "${name}" not defined`);
  });
});
