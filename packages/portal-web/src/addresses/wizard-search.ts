import type { WizardStep } from '@gateway/toolset-composer';

/** The state of the wizard in its address. */
export interface WizardSearch {
  /** The first step when absent. */
  readonly step?: WizardStep;
  /** The composed toolset; absent until the person has changed it. */
  readonly toolset?: string[];
}

const STEPS: ReadonlySet<unknown> = new Set<WizardStep>(['Details', 'Skills', 'Tools', 'Review']);
const isStep = (value: unknown): value is WizardStep => STEPS.has(value);
/** The most selectors of an address and of a draft; a toolset that can be declared has fewer. */
export const MAX_SELECTORS = 200;

/** Reads the state from the parameters of an address; unknown ones are left out. */
export const readWizardSearch = ({ step, toolset }: Record<string, unknown>): WizardSearch => ({
  ...(isStep(step) && { step }),
  ...(Array.isArray(toolset) && {
    toolset: toolset.filter((item) => typeof item === 'string').slice(0, MAX_SELECTORS),
  }),
});
