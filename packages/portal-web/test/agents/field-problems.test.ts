import { validateModelConfig, validateName } from '@gateway/agent-manager-client';
import { describe, expect, it } from 'vitest';
import { sortProblems, toPlainSentence } from '../../src/pages/agent-wizard/field-problems.ts';

const FIELDS = ['name', 'modelConfig', 'displayName', 'iconUrl', 'skills'] as const;
const NEW = { fields: FIELDS, isNew: true, isChecked: () => true };

/** Returns the problem of each field that has one, and the others. */
const sort = (sentences: readonly string[], options = NEW) => {
  const { find, others } = sortProblems(sentences, options);
  const problems = FIELDS.map((field) => [field, find(field)] as const);
  return {
    ...Object.fromEntries(problems.filter(([, problem]) => problem !== undefined)),
    ...(others.length > 0 && { others }),
  };
};

const EXISTS = 'The agent default/sre exists already. Choose another name, or edit that agent.';
const RELEASE = 'HelmRelease default/sre already exists (use update_agent)';
const BARE = 'Agent default/sre already exists without a HelmRelease (a bare CR); delete it first';
const MODEL = 'modelConfig "nope" does not exist in namespace default; valid: claude';
const REF = 'skills.gitRefs[0].ref "--x" is not the name of a branch, a tag or a commit';
const VALUES =
  'values do not satisfy the agent chart schema 0.6.0 (embedded): /agent/displayName: must have at most 63 characters; /modelConfig/name: must have at least 1 character';

describe('a problem is shown', () => {
  it.each<[string, readonly string[], object]>([
    ['at the field that it begins with', [MODEL, 'modelConfig is odd'], { modelConfig: MODEL }],
    ['at skills, with the position of one of them', [REF], { skills: REF }],
    ['at the name, when an Agent exists already', [BARE], { name: BARE }],
    ['at the name, when a release exists already', [RELEASE], { name: EXISTS }],
    [
      'at each field that the schema of the chart refuses',
      [VALUES],
      { displayName: VALUES, modelConfig: VALUES },
    ],
    [
      'in the review when it is about no field',
      ['values do not satisfy the agent chart schema: /replicas: must be 1', 'no'],
      { others: ['values do not satisfy the agent chart schema: /replicas: must be 1', 'no'] },
    ],
  ])('%s', (_where, sentences, shown) => {
    expect(sort(sentences)).toEqual(shown);
  });

  it('in the review when it is about the release of an agent that exists', () => {
    const suspended = 'HelmRelease default/sre is suspended: Flux will not act on a change.';
    expect(sort([suspended], { ...NEW, isNew: false })).toEqual({ others: [suspended] });
  });

  it('nowhere when its field was changed meanwhile', () => {
    expect(sort(['name is required'], { ...NEW, isChecked: () => false })).toEqual({});
  });
});

it.each<[string | undefined, string]>([
  [validateName(''), 'Enter a name.'],
  [validateModelConfig(''), 'Choose a model configuration.'],
  [
    validateName('Not A Name'),
    'A name has lower case letters, digits and hyphens. It begins and ends with a letter or a digit.',
  ],
  [RELEASE, EXISTS],
  ...[
    'modelConfig "name is required" does not exist in namespace default; valid: claude',
    BARE,
    'iconUrl must be an https:// URL',
  ].map((sentence): [string, string] => [sentence, sentence]),
])('replaces the names of arguments and operations: %s', (sentence = '', plain) => {
  expect(toPlainSentence(sentence)).toBe(plain);
});
