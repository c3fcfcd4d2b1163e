import type {
  Answer,
  OperationDraft,
  OperationName,
  OperationOutput,
  SkillList,
} from '@gateway/agent-manager-client';
import type { ComposeParts } from '../compose/manifests.ts';
import type { AgentStore } from '../store/agent-store.ts';

/** Where skills are looked for. Never rejects. */
export interface SkillSource {
  /** Addresses of the configured repositories. */
  readonly repositories: readonly string[];
  readonly list: (request: {
    readonly repository?: string | undefined;
    readonly ref?: string | undefined;
    readonly refresh?: boolean | undefined;
  }) => Promise<Answer<SkillList>>;
}

/** What agents are managed with. */
export interface AgentServiceParts extends ComposeParts {
  readonly store: AgentStore;
  /** Managed namespaces; the first is the default one. */
  readonly namespaces: readonly [string, ...string[]];
  /** Of agent-manager. */
  readonly version: string;
  /** Absent: nobody configured repositories with skills. */
  readonly skills?: SkillSource;
  /** Told of what went wrong without being a refusal, of which the caller learns one line. Must not throw. */
  readonly onError?: (error: unknown) => void;
}

/** Every operation as a function. Never rejects: what goes wrong is a refusal. @spec §4.4 */
export type AgentService = {
  readonly [Name in OperationName]: (
    draft: OperationDraft<Name>,
  ) => Promise<Answer<OperationOutput<Name>>>;
};
