/** A step of the wizard that creates or edits an agent. */
export type WizardStep = 'Details' | 'Skills' | 'Tools' | 'Review';

/** The heading of the step in which a toolset is composed. */
export const TOOLS_HEADING = "Choose the agent's tools";

/** Returns the steps in order. Skills are chosen only where repositories of skills are configured. */
export const wizardSteps = (options: { readonly hasSkills: boolean }): readonly WizardStep[] => [
  'Details',
  ...(options.hasSkills ? (['Skills'] as const) : []),
  'Tools',
  'Review',
];

/** Returns the label of a step, `Step 3 of 4: Tools`. */
export const stepLabel = (steps: readonly WizardStep[], step: WizardStep): string =>
  `Step ${steps.indexOf(step) + 1} of ${steps.length}: ${step}`;
