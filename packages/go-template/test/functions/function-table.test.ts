import { TEMPLATE_FUNCTIONS } from '../../src/syntax/function-arities.ts';
import { expect, it } from 'vitest';
import { FUNCTION_TABLE } from '../../src/functions/function-table.ts';
import { LEFT_OUT } from '../../sprig-differences.ts';
import { requirement } from '../requirement.ts';
import { failsEach, rendered } from './render-function.ts';

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

  failsEach([
    ['{{ env "HOME" }}', 'function "env" not defined'],
    ['{{ expandenv "$HOME" }}', 'function "expandenv" not defined'],
    ['{{ getHostByName "localhost" }}', 'function "getHostByName" not defined'],
    ['{{ randAlphaNum 5 }}', 'function "randAlphaNum" not defined'],
    ['{{ randInt 0 9 }}', 'function "randInt" not defined'],
    ['{{ shuffle "abc" }}', 'function "shuffle" not defined'],
    ['{{ uuidv4 }}', 'function "uuidv4" not defined'],
    ['{{ genPrivateKey "rsa" }}', 'function "genPrivateKey" not defined'],
    ['{{ derivePassword 1 "long" "a" "b" "c" }}', 'function "derivePassword" not defined'],
    ['{{ bcrypt "a" }}', 'function "bcrypt" not defined'],
    ['{{ htpasswd "a" "b" }}', 'function "htpasswd" not defined'],
    ['{{ encryptAES "a" "b" }}', 'function "encryptAES" not defined'],
    ['{{ call "upper" "a" }}', 'function "call" not defined'],
    ['{{ constructor }}', 'function "constructor" not defined'],
    ['{{ __proto__ }}', 'function "__proto__" not defined'],
    ['{{ toLocaleString 1 }}', 'function "toLocaleString" not defined'],
    ['{{ upper }}', 'wrong number of args for upper: want 1 got 0'],
    ['{{ upper "a" "b" }}', 'wrong number of args for upper: want 1 got 2'],
    ['{{ "a" | upper "b" }}', 'wrong number of args for upper: want 1 got 2'],
  ]);
});
