import { MAX_BODY_BYTES } from '../limits.ts';
import {
  formatUnquotedName,
  formatList,
  formatNames,
  formatObject,
  formatQuotedName,
  createRefusal,
  type AgentRefusal,
  REFUSAL_STATUS,
  type AgentRefusalCode,
  truncate,
} from './refusal.ts';

/** Identifies an agent, a release or another object. */
export interface ObjectFacts {
  readonly namespace: string;
  readonly name: string;
}

/** A refusal of the HTTP transport, whose status can be more specific than its code. */
export interface HttpRefusal {
  readonly status: number;
  readonly refusal: AgentRefusal;
}

const createHttpRefusal = (
  code: AgentRefusalCode,
  reason: string,
  status: number = REFUSAL_STATUS[code],
): HttpRefusal => ({ status, refusal: createRefusal(code, reason) });

/** Refusals before an operation is found or its arguments are parsed. */
export const HTTP_REFUSALS = {
  unknownRoute: (pathname: string): HttpRefusal =>
    createHttpRefusal('not_found', `there is nothing at ${formatQuotedName(pathname)}`),
  /** The answer also lists the methods in its `Allow` header. */
  methodNotAllowed: (facts: {
    readonly method: string;
    readonly allow: readonly string[];
  }): HttpRefusal =>
    createHttpRefusal(
      'invalid_request',
      `${truncate(facts.method)} is not allowed here (allowed: ${facts.allow.join(', ')})`,
      405,
    ),
  bodyTooLarge: (): HttpRefusal =>
    createHttpRefusal('invalid_request', `the body is longer than ${MAX_BODY_BYTES} bytes`, 413),
  notJson: (): HttpRefusal =>
    createHttpRefusal(
      'invalid_request',
      'the Content-Type of the body must be application/json',
      415,
    ),
  foreignHost: (host: string): HttpRefusal =>
    createHttpRefusal('forbidden', `host ${formatQuotedName(host)} is not served here`),
  foreignOrigin: (origin: string): HttpRefusal =>
    createHttpRefusal('forbidden', `origin ${formatQuotedName(origin)} is not allowed`),
} as const;

/**
 * Creates the refusals that depend on stored objects. Single arguments are refused by `validateName`, `validateModelConfig`,
 * `validateSkills`, `validateToolset` and `validateToolNames`. Names are escaped and truncated, and lists are truncated: every message
 * has a bounded size.
 *
 * @spec §4.4
 */
export const REFUSALS = {
  // Missing and existing objects.
  /** Refuses to read a missing agent. */
  noAgentToRead: (agent: ObjectFacts): AgentRefusal =>
    createRefusal(
      'not_found',
      `agent ${formatObject(agent)}: no Agent and no HelmRelease of that name`,
    ),
  /** Refuses to change or delete a missing agent. */
  noAgentToWrite: (agent: ObjectFacts): AgentRefusal =>
    createRefusal('not_found', `agent ${formatObject(agent)}`),
  releaseExists: (release: ObjectFacts): AgentRefusal =>
    createRefusal(
      'conflict',
      `HelmRelease ${formatObject(release)} already exists; use update_agent to change it`,
    ),
  /** Refuses a dry-run creation of an existing release. */
  releaseExistsAlready: (release: ObjectFacts): AgentRefusal =>
    createRefusal(
      'conflict',
      `HelmRelease ${formatObject(release)} already exists (use update_agent)`,
    ),
  /** Refuses a creation or a change while the release is being deleted, for example until its finalizers finish. */
  releaseIsBeingDeleted: (release: ObjectFacts): AgentRefusal =>
    createRefusal(
      'conflict',
      `HelmRelease ${formatObject(release)} is being deleted; try again when it is gone, or pick another name`,
    ),
  /** Refuses a creation while the source of the chart is being deleted. */
  sourceIsBeingDeleted: (source: ObjectFacts): AgentRefusal =>
    createRefusal(
      'conflict',
      `OCIRepository ${formatObject(source)} is being deleted; try again when it is gone`,
    ),
  bareAgentExists: (agent: ObjectFacts): AgentRefusal =>
    createRefusal(
      'conflict',
      `Agent ${formatObject(agent)} already exists without a HelmRelease (a bare CR); delete it first (delete_agent with force) or pick another name`,
    ),
  namespaceNotManaged: (facts: {
    readonly namespace: string;
    readonly managed: readonly string[];
  }): AgentRefusal =>
    createRefusal(
      'invalid_request',
      `namespace ${formatQuotedName(facts.namespace)} is not managed by agent-manager (managed: ${formatNames(facts.managed)})`,
    ),
  noModelConfig: (facts: {
    readonly namespace: string;
    readonly modelConfig: string;
    readonly valid: readonly string[];
  }): AgentRefusal => {
    const subject = `modelConfig ${formatQuotedName(facts.modelConfig)} does not exist in namespace ${formatUnquotedName(facts.namespace)}`;
    return createRefusal(
      'invalid_request',
      facts.valid.length === 0
        ? `${subject} (no ModelConfigs there; a platform admin provisions them)`
        : `${subject}; valid: ${formatNames(facts.valid)}`,
    );
  },
  // Objects with another owner: a change requires `force` or is not possible.
  bareAgent: (agent: ObjectFacts): AgentRefusal =>
    createRefusal(
      'conflict',
      `Agent ${formatObject(agent)} is a bare CR with no HelmRelease behind it; agent-manager only writes HelmRelease values (recreate it with create_agent, or delete it with force)`,
    ),
  releaseFromGit: (release: ObjectFacts & { readonly kustomization: string }): AgentRefusal =>
    createRefusal(
      'conflict',
      `HelmRelease ${formatObject(release)} is applied by Flux Kustomization ${formatQuotedName(release.kustomization)}: its desired state lives in git, a live write would be undone. Change it in the GitOps repository, or pass force to write anyway`,
    ),
  releaseSuspended: (release: ObjectFacts): AgentRefusal =>
    createRefusal(
      'conflict',
      `HelmRelease ${formatObject(release)} is suspended: Flux will not act on a change. Resume it first, or pass force`,
    ),
  /** Another client changed or deleted the release between read and write. */
  releaseChanged: (release: ObjectFacts): AgentRefusal =>
    createRefusal(
      'conflict',
      `HelmRelease ${formatObject(release)} has changed since it was read; read the agent again and repeat the change`,
    ),
  // Values that the agent chart does not accept.
  /** @param facts.problems `path: message` each, sorted */
  valuesRefused: (facts: {
    readonly schemaVersion: string;
    readonly schemaSource: string;
    readonly problems: readonly string[];
  }): AgentRefusal =>
    createRefusal(
      'invalid_request',
      `values do not satisfy the agent chart schema ${formatUnquotedName(facts.schemaVersion)} (${facts.schemaSource}): ${formatList(facts.problems, '; ')}`,
    ),
  // Lists of skills. Repositories are named as configured, without secrets.
  noSkillRepositories: (): AgentRefusal =>
    createRefusal('unsupported', 'no skill repositories are configured'),
  unknownSkillRepository: (facts: {
    readonly repository: string;
    readonly configured: readonly string[];
  }): AgentRefusal =>
    createRefusal(
      'not_found',
      `skill repository ${formatQuotedName(facts.repository)} is not configured (configured: ${formatNames(facts.configured)})`,
    ),
  /** Refuses an invalid Git ref. */
  malformedSkillRef: (ref: string): AgentRefusal =>
    createRefusal(
      'invalid_request',
      `ref ${formatQuotedName(ref)} is not the name of a branch, a tag or a commit`,
    ),
  noSkillRef: (facts: { readonly repository: string; readonly ref: string }): AgentRefusal =>
    createRefusal(
      'not_found',
      `ref ${formatQuotedName(facts.ref)} in skill repository ${facts.repository}`,
    ),
  /** @param facts.reason the reason of the failure, as a sentence without a full stop */
  skillsUnread: (facts: { readonly repository: string; readonly reason: string }): AgentRefusal =>
    createRefusal('backend_error', `skill repository ${facts.repository}: ${facts.reason}`),
} as const;
