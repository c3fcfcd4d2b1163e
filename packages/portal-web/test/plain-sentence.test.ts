import { validateModelConfig, validateName } from '@gateway/agent-manager-client';
import { expect, it } from 'vitest';
import { toPlainSentence } from '../src/pages/agent-wizard/field-problems.ts';

it('replaces the names of arguments and operations', () => {
  expect(toPlainSentence(validateName('') ?? '')).toBe('Enter a name.');
  expect(toPlainSentence(validateModelConfig('') ?? '')).toBe('Choose a model configuration.');
  expect(toPlainSentence(validateName('Not A Name') ?? '')).toBe(
    'A name has lower case letters, digits and hyphens. It begins and ends with a letter or a digit.',
  );
  expect(toPlainSentence('HelmRelease default/sre already exists (use update_agent)')).toBe(
    'The agent default/sre exists already. Choose another name, or edit that agent.',
  );
});

it.each([
  'modelConfig "name is required" does not exist in namespace default; valid: claude',
  'Agent default/sre already exists without a HelmRelease (a bare CR); delete it first',
  'iconUrl must be an https:// URL',
])('leaves %s as it is', (sentence) => {
  expect(toPlainSentence(sentence)).toBe(sentence);
});
