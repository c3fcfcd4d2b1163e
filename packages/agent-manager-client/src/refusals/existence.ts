import { refusal, type Refusal } from './refusal.ts';
import { formatShown, formatBare, formatNames, formatObject } from './shown.ts';

/** Which agent, release or object. */
export interface ObjectFacts {
  readonly namespace: string;
  readonly name: string;
}

/** Refusals of missing and of existing objects. @spec §4.4 */
export const EXISTENCE_REFUSALS = {
  /** Refuses the read of a missing agent. */
  noAgentToRead: (agent: ObjectFacts): Refusal =>
    refusal('not_found', `agent ${formatObject(agent)}: no Agent and no HelmRelease of that name`),
  /** A change or a deletion of an agent that is not there. */
  noAgentToWrite: (agent: ObjectFacts): Refusal =>
    refusal('not_found', `agent ${formatObject(agent)}`),
  releaseExists: (release: ObjectFacts): Refusal =>
    refusal(
      'conflict',
      `HelmRelease ${formatObject(release)} already exists; use update_agent to change it`,
    ),
  /** The same, of a creation that is only tried. */
  releaseExistsAlready: (release: ObjectFacts): Refusal =>
    refusal('conflict', `HelmRelease ${formatObject(release)} already exists (use update_agent)`),
  /** A creation or a change while the release of this name is not deleted yet, such as until its finalizers are done. */
  releaseIsBeingDeleted: (release: ObjectFacts): Refusal =>
    refusal(
      'conflict',
      `HelmRelease ${formatObject(release)} is being deleted; try again when it is gone, or pick another name`,
    ),
  /** A creation while the source of the chart is not deleted yet. */
  sourceIsBeingDeleted: (source: ObjectFacts): Refusal =>
    refusal(
      'conflict',
      `OCIRepository ${formatObject(source)} is being deleted; try again when it is gone`,
    ),
  bareAgentExists: (agent: ObjectFacts): Refusal =>
    refusal(
      'conflict',
      `Agent ${formatObject(agent)} already exists without a HelmRelease (a bare CR); delete it first (delete_agent with force) or pick another name`,
    ),
  namespaceNotManaged: (facts: {
    readonly namespace: string;
    readonly managed: readonly string[];
  }): Refusal =>
    refusal(
      'invalid_request',
      `namespace ${formatShown(facts.namespace)} is not managed by agent-manager (managed: ${formatNames(facts.managed)})`,
    ),
  noModelConfig: (facts: {
    readonly namespace: string;
    readonly modelConfig: string;
    readonly valid: readonly string[];
  }): Refusal => {
    const subject = `modelConfig ${formatShown(facts.modelConfig)} does not exist in namespace ${formatBare(facts.namespace)}`;
    return refusal(
      'invalid_request',
      facts.valid.length === 0
        ? `${subject} (no ModelConfigs there; a platform admin provisions them)`
        : `${subject}; valid: ${formatNames(facts.valid)}`,
    );
  },
} as const;
