import { expect, it } from 'vitest';
import { EMPTY_COMPOSITION, fromToolset } from '../src/composition.ts';
import {
  createAgentDraft,
  formatReleaseFile,
  formatStepLabel,
  listWizardSteps,
} from '../src/wizard.ts';
import { requirement } from './requirement.ts';

it('has four steps with skills and three without', () => {
  const four = listWizardSteps({ hasSkills: true });
  expect(four.map((step) => formatStepLabel(four, step))).toEqual([
    'Step 1 of 4: Details',
    'Step 2 of 4: Skills',
    'Step 3 of 4: Tools',
    'Step 4 of 4: Review',
  ]);
  const three = listWizardSteps({ hasSkills: false });
  expect(formatStepLabel(three, 'Tools')).toBe('Step 2 of 3: Tools');
});

requirement('9.2/portal-release', () => {
  const details = { name: 'sre', modelConfig: 'default' };

  it('passes the composed toolset to agent-manager, in its order', () => {
    expect(createAgentDraft(details, fromToolset(['workflow:b', 'preset:a']))).toEqual({
      name: 'sre',
      modelConfig: 'default',
      toolset: ['workflow:b', 'preset:a'],
    });
  });

  it('passes preset:none for an agent without tools', () => {
    expect(createAgentDraft(details, EMPTY_COMPOSITION).toolset).toEqual(['preset:none']);
  });
});

it('writes a release as one file of two documents', () => {
  expect(
    formatReleaseFile({ ociRepository: 'kind: OCIRepository\n', helmRelease: 'kind: HelmRelease' }),
  ).toBe('kind: OCIRepository\n---\nkind: HelmRelease\n');
});
