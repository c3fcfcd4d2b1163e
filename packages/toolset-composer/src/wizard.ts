import type { AgentManifests, OperationDraft } from '@gateway/agent-manager-client';
import { type Composition, toDeclaredToolset } from './composition.ts';

/** The fields of a new agent other than its toolset. */
export type AgentDetails = Omit<OperationDraft<'create_agent'>, 'toolset' | 'toolNames'>;

/** Returns the arguments of `create_agent` and `validate_agent`: agent-manager composes the release from them. @spec §4.4 */
export const createAgentDraft = <Details extends AgentDetails>(
  details: Details,
  composition: Composition,
): Details & { readonly toolset: string[] } => ({
  ...details,
  toolset: [...toDeclaredToolset(composition)],
});

const END_OF_DOCUMENT = '---\n';

const ensureNewline = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** Returns a composed release as one YAML file for a GitOps repository: the source of the chart, then the release. @spec §4.4 */
export const formatReleaseFile = ({
  ociRepository,
  helmRelease,
}: Pick<AgentManifests, 'ociRepository' | 'helmRelease'>): string =>
  [ensureNewline(ociRepository), ensureNewline(helmRelease)].join(END_OF_DOCUMENT);

/** A step of the wizard that creates or edits an agent. */
export type WizardStep = 'Details' | 'Skills' | 'Tools' | 'Review';

/** The heading of the step in which a toolset is composed. */
export const TOOLS_HEADING = "Choose the agent's tools";

/** Returns the steps in order. Skills are chosen only where repositories of skills are configured. */
export const listWizardSteps = (options: {
  readonly hasSkills: boolean;
}): readonly WizardStep[] => [
  'Details',
  ...(options.hasSkills ? (['Skills'] as const) : []),
  'Tools',
  'Review',
];

/** Returns the label of a step, `Step 3 of 4: Tools`. */
export const formatStepLabel = (steps: readonly WizardStep[], step: WizardStep): string =>
  `Step ${steps.indexOf(step) + 1} of ${steps.length}: ${step}`;
