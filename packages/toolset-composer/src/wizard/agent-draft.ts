import type { Manifests, OperationDraft } from '@gateway/agent-manager-client';
import { declaredToolset, type Composition } from '../composition/composition.ts';

/** The fields of a new agent other than its toolset. */
export type AgentDetails = Omit<OperationDraft<'create_agent'>, 'toolset' | 'toolNames'>;

/** Returns the arguments of `create_agent` and `validate_agent`: agent-manager composes the release from them. @spec §4.4 */
export const agentDraft = <Details extends AgentDetails>(
  details: Details,
  composition: Composition,
): Details & { readonly toolset: string[] } => ({
  ...details,
  toolset: [...declaredToolset(composition)],
});

const END_OF_DOCUMENT = '---\n';

const terminated = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** Returns a composed release as one YAML file for a GitOps repository: the source of the chart, then the release. @spec §4.4 */
export const releaseFile = ({
  ociRepository,
  helmRelease,
}: Pick<Manifests, 'ociRepository' | 'helmRelease'>): string =>
  [terminated(ociRepository), terminated(helmRelease)].join(END_OF_DOCUMENT);
