import { modelConfigProblem, nameProblem } from '@gateway/agent-manager-client';
import { expect, it } from 'vitest';
import { plainSentence } from '../src/pages/agent-wizard/plain-sentence.ts';

it('replaces the names of arguments and operations', () => {
  expect(plainSentence(nameProblem('') ?? '')).toBe('Enter a name.');
  expect(plainSentence(modelConfigProblem('') ?? '')).toBe('Choose a model configuration.');
  expect(plainSentence(nameProblem('Not A Name') ?? '')).toBe(
    'A name has lower case letters, digits and hyphens. It begins and ends with a letter or a digit.',
  );
  expect(plainSentence('HelmRelease default/sre already exists (use update_agent)')).toBe(
    'The agent default/sre exists already. Choose another name, or edit that agent.',
  );
});

it.each([
  'modelConfig "name is required" does not exist in namespace default; valid: claude',
  'Agent default/sre already exists without a HelmRelease (a bare CR); delete it first',
  'iconUrl must be an https:// URL',
])('leaves %s as it is', (sentence) => {
  expect(plainSentence(sentence)).toBe(sentence);
});
