import { describe, expect, it } from 'vitest';
import {
  isTemplateFunctionName,
  TEMPLATE_FUNCTIONS,
  findFunctionArity,
} from '../../src/syntax/function-arities.ts';

describe('the names of template functions', () => {
  it('are those of Go and the pure ones of Sprig', () => {
    expect(Object.keys(TEMPLATE_FUNCTIONS)).toHaveLength(204);
    expect(isTemplateFunctionName('upper')).toBe(true);
    expect(isTemplateFunctionName('printf')).toBe(true);
  });

  it.each(['env', 'expandenv', 'getHostByName', 'uuidv4', 'randAlpha', 'genPrivateKey', 'call'])(
    'do not include %s',
    (name) => {
      expect(isTemplateFunctionName(name)).toBe(false);
    },
  );

  it.each(['constructor', '__proto__', 'toLocaleString', 'hasOwnProperty', ''])(
    'do not include %s, which objects have anyway',
    (name) => {
      expect(isTemplateFunctionName(name)).toBe(false);
      expect(findFunctionArity(name)).toBeUndefined();
    },
  );

  it('come with the fewest and the most arguments', () => {
    expect(findFunctionArity('upper')).toEqual([1, 1]);
    expect(findFunctionArity('default')).toEqual([1, undefined]);
    expect(findFunctionArity('round')).toEqual([2, 3]);
    expect(findFunctionArity('toString')).toEqual([1, 1]);
  });

  it('ask for no more arguments than they take', () => {
    for (const [fewest, most = Infinity] of Object.values(TEMPLATE_FUNCTIONS))
      expect(fewest).toBeLessThanOrEqual(most);
  });
});
