import { expect, it } from 'vitest';
import { EMPTY_COMPOSITION, startFrom } from '../src/composition.ts';
import { agentDraft, releaseFile, stepLabel, wizardSteps } from '../src/wizard.ts';
import { requirement } from './requirement.ts';

it('has four steps with skills and three without', () => {
  const four = wizardSteps({ hasSkills: true });
  expect(four.map((step) => stepLabel(four, step))).toEqual([
    'Step 1 of 4: Details',
    'Step 2 of 4: Skills',
    'Step 3 of 4: Tools',
    'Step 4 of 4: Review',
  ]);
  const three = wizardSteps({ hasSkills: false });
  expect(stepLabel(three, 'Tools')).toBe('Step 2 of 3: Tools');
});

requirement('9.2/portal-release', () => {
  const details = { name: 'sre', modelConfig: 'default' };

  it('passes the composed toolset to agent-manager, in its order', () => {
    expect(agentDraft(details, startFrom(['workflow:b', 'preset:a']))).toEqual({
      name: 'sre',
      modelConfig: 'default',
      toolset: ['workflow:b', 'preset:a'],
    });
  });

  it('passes preset:none for an agent without tools', () => {
    expect(agentDraft(details, EMPTY_COMPOSITION).toolset).toEqual(['preset:none']);
  });
});

it('writes a release as one file of two documents', () => {
  expect(
    releaseFile({ ociRepository: 'kind: OCIRepository\n', helmRelease: 'kind: HelmRelease' }),
  ).toBe('kind: OCIRepository\n---\nkind: HelmRelease\n');
});
