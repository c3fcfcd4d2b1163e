import { useAgents } from '../../queries/use-agents.ts';
import { useCatalog } from '../../queries/use-catalog.ts';
import { usePresets } from '../../queries/use-presets.ts';
import { useResolution } from '../../queries/use-resolution.ts';
import type { WizardState } from './wizard-state.ts';

/** Returns what the present step of the wizard needs and does not have yet, for screen readers; `undefined` when it has everything. */
export const useStepLoading = ({
  step,
  declared,
  validation,
}: Pick<WizardState, 'step' | 'declared' | 'validation'>): string | undefined => {
  const isToolsPending = [
    usePresets().isPending,
    useCatalog().isPending,
    useAgents().isPending,
  ].includes(true);
  const { state } = useResolution(declared.access === 'toolset' ? declared.toolset : []);
  const { verdict, error } = validation;
  const isUnchecked = verdict === undefined && error === undefined;
  if (step === 'Tools' && isToolsPending) return 'Loading the catalog';
  return step === 'Review' && (isUnchecked || state === 'loading')
    ? 'Checking the agent'
    : undefined;
};
