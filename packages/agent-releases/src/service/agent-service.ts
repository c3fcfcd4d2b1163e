import type {
  Answer,
  OperationDraft,
  OperationName,
  OperationOutput,
  SkillList,
} from '@gateway/agent-manager-client';
import type { ComposeParts } from '../compose/manifests.ts';
import type { AgentStore } from '../store/agent-store.ts';
import type { Wait } from '../store/look-again.ts';

/** A source of skills. Never rejects. */
export interface SkillSource {
  /** Addresses of the configured repositories. */
  readonly repositories: readonly string[];
  readonly list: (request: {
    readonly repository?: string | undefined;
    readonly ref?: string | undefined;
    readonly refresh?: boolean | undefined;
  }) => Promise<Answer<SkillList>>;
}

/** The dependencies of the service. */
export interface AgentServiceParts extends ComposeParts {
  readonly store: AgentStore;
  /** Managed namespaces; the first is the default one. */
  readonly namespaces: readonly [string, ...string[]];
  /** Of agent-manager. */
  readonly version: string;
  /** Whose permissions the requests to the store have; those of agent-manager when absent. */
  readonly identity?: 'caller' | 'serviceAccount';
  /** Absent when no repositories of skills are configured. */
  readonly skills?: SkillSource;
  /** Waits while Flux still deletes objects. When absent, what it sees at once decides. */
  readonly wait?: Wait;
  /** Called with unexpected errors, of which the caller gets one line. Must not throw. */
  readonly onError?: (error: unknown) => void;
}

/** Every operation as a function. Never rejects: a failure is a refusal. @spec §4.4 */
export type AgentService = {
  readonly [Name in OperationName]: (
    draft: OperationDraft<Name>,
  ) => Promise<Answer<OperationOutput<Name>>>;
};
