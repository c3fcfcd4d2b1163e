import { expect, it } from 'vitest';
import { sortProblems } from '../src/pages/agent-wizard/field-problems.ts';

const NEW = {
  fields: ['name', 'modelConfig', 'displayName', 'iconUrl', 'skills'],
  isNew: true,
  isChecked: () => true,
};

it('shows a sentence at the field that it begins with', () => {
  const sentence = 'modelConfig "nope" does not exist in namespace default; valid: claude';
  const { find: of, others } = sortProblems([sentence, 'modelConfig is odd'], NEW);
  expect(of('modelConfig')).toBe(sentence);
  expect(of('name')).toBe(undefined);
  expect(others).toEqual([]);
});

it('shows the problem of skills with the position of one of them', () => {
  const sentence = 'skills.gitRefs[0].ref "--x" is not the name of a branch, a tag or a commit';
  expect(sortProblems([sentence], NEW).find('skills')).toBe(sentence);
});

it('shows at the name of a new agent that the object exists already', () => {
  const bare =
    'Agent default/sre already exists without a HelmRelease (a bare CR); delete it first';
  expect(sortProblems([bare], NEW).find('name')).toBe(bare);
  const release = 'HelmRelease default/sre already exists (use update_agent)';
  expect(sortProblems([release], NEW).find('name')).toBe(
    'The agent default/sre exists already. Choose another name, or edit that agent.',
  );
  const suspended = 'HelmRelease default/sre is suspended: Flux will not act on a change.';
  const { find: of, others } = sortProblems([suspended], { ...NEW, isNew: false });
  expect(of('name')).toBe(undefined);
  expect(others).toEqual([suspended]);
});

it('shows at each field what the schema of the chart refuses', () => {
  const sentence =
    'values do not satisfy the agent chart schema 0.6.0 (embedded): /agent/displayName: must have at most 63 characters; /modelConfig/name: must have at least 1 character';
  const { find: of, others } = sortProblems([sentence], NEW);
  expect(of('displayName')).toBe(sentence);
  expect(of('modelConfig')).toBe(sentence);
  expect(of('iconUrl')).toBe(undefined);
  expect(others).toEqual([]);
});

it('leaves sentences about no field to the review', () => {
  const sentences = ['values do not satisfy the agent chart schema: /replicas: must be 1', 'no'];
  expect(sortProblems(sentences, NEW).others).toEqual(sentences);
});

it('shows nothing at a field that was changed meanwhile', () => {
  const { find: of } = sortProblems(['name is required'], { ...NEW, isChecked: () => false });
  expect(of('name')).toBe(undefined);
});
