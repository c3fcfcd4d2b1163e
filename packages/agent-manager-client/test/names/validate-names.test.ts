import { describe, expect, it } from 'vitest';
import { validateModelConfig, validateName } from '../../src/index.ts';

const notALabel = (name: string) =>
  `name ${name.includes('\u202e') ? String.raw`"\u202ea"` : JSON.stringify(name)} must be a DNS-1123 label: lowercase letters, digits and '-', starting and ending alphanumeric`;

describe('the name of an agent', () => {
  it.each([['sre'], ['a'], ['0'], ['a-b'], ['a--b'], ['9-lives'], ['a'.repeat(63)]])(
    'may be %s',
    (name) => expect(validateName(name)).toBeUndefined(),
  );
  it.each([[undefined], [''], [' '], ['\t\n']])('is required: %j', (name) =>
    expect(validateName(name)).toBe('name is required'),
  );
  it.each([
    ...[
      'Bad',
      '-a',
      'a-',
      '-',
      'a.b',
      'a/b',
      '..',
      'a b',
      ' a',
      'a\n',
      'é',
      '\u202ea',
      '__proto__',
    ],
  ])('is not %j', (name) => expect(validateName(name)).toBe(notALabel(name)));
  it('has at most 63 characters', () => {
    expect(validateName('A'.repeat(63))).toBe(notALabel('A'.repeat(63)));
    expect(validateName('a'.repeat(64))).toBe(
      `name "${'a'.repeat(64)}" is longer than 63 characters`,
    );
    expect(validateName('A'.repeat(64))).toMatch(/ is longer than 63 characters$/);
  });
  it('is repeated in part when it is long', () =>
    expect(validateName('a'.repeat(10_000_000))).toBe(
      `name "${'a'.repeat(256)}…" is longer than 63 characters`,
    ));
  it('is not cut inside a character', () =>
    expect(validateName(`${'a'.repeat(255)}😀`)).toBe(
      `name "${'a'.repeat(255)}…" is longer than 63 characters`,
    ));
});

describe('the model configuration', () => {
  it('is required', () => {
    expect(validateModelConfig(undefined)).toBe('modelConfig is required');
    expect(validateModelConfig(' ')).toBe('modelConfig is required');
  });
});
