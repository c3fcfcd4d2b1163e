import { REFUSALS } from '@gateway/agent-manager-client';
import {
  type AgentService,
  type AgentServiceParts,
  resolveManagedNamespace,
} from './find-agent.ts';
import { toManifests } from '../compose/manifests.ts';
import { ensureSource } from '../delete/release-source.ts';
import { isDeleting } from '../read/object-facts.ts';
import { readAgent } from '../read/read-agent.ts';
import { computeAgentStatus } from '../status/agent-status.ts';
import {
  type AgentStore,
  type HelmRelease,
  type Workload,
  mapOutcome,
} from '../store/agent-store.ts';
import {
  validateCreationArguments,
  type CreationPlan,
  checkToolNames,
  validateCreation,
  toWarningsMember,
} from './validate-write.ts';

type CreateOutcome = ReturnType<AgentService['create_agent']>;

/** The workload of an agent whose release was just created. */
const EMPTY_WORKLOAD: Workload = { deployment: undefined, pods: [], events: [] };

/** Writes a release. Another client may have created or deleted a release with this name since the validation. */
const writeRelease = async (
  { store }: AgentServiceParts,
  release: HelmRelease,
): ReturnType<AgentStore['createRelease']> => {
  const created = await store.createRelease(release);
  if (created.ok || created.error.code !== 'conflict') return created;
  const existing = await store.getRelease(release.metadata);
  const isBeingDeleted =
    existing.ok && existing.value !== undefined && isDeleting(existing.value.object);
  return isBeingDeleted
    ? { ok: false, error: REFUSALS.releaseIsBeingDeleted(release.metadata) }
    : created;
};

/**
 * Writes the source, then the release, so that no release waits for its source. The source stays when the release is refused, because other
 * releases of the namespace may already use it. It is written again after the release: a concurrent deletion of the last other agent may
 * have deleted it, and does not detect the new release.
 */
const write = async (
  parts: AgentServiceParts,
  { source, release }: CreationPlan,
): CreateOutcome => {
  const createdSource = await ensureSource(parts, source);
  if (!createdSource.ok) return createdSource;
  const createdRelease = await writeRelease(parts, release);
  if (!createdRelease.ok) return createdRelease;
  const ensuredSource = await ensureSource(parts, source);
  const isSourceRestored = ensuredSource.ok && ensuredSource.value;
  const written = createdRelease.value.object;
  return {
    ok: true,
    value: {
      agent: readAgent({ release: written }),
      manifests: toManifests(release, source),
      created: { ociRepository: createdSource.value || isSourceRestored, helmRelease: true },
      status: computeAgentStatus(release.metadata, {
        release: written,
        agent: undefined,
        workload: EMPTY_WORKLOAD,
      }),
    },
  };
};

/** Creates an agent as a release of the agent chart. A refusal by the validation writes nothing. @spec §4.4 */
export const createAgent =
  (parts: AgentServiceParts): AgentService['create_agent'] =>
  async (draft) => {
    const namespace = resolveManagedNamespace(parts, draft.namespace);
    if (!namespace.ok) return namespace;
    const toolNames = checkToolNames(draft);
    if (!toolNames.ok) return toolNames;
    const [wrong] = validateCreationArguments(draft);
    if (wrong !== undefined) return { ok: false, error: wrong };
    const validated = await validateCreation(parts, namespace.value, { draft, isTrial: false });
    if (!validated.ok) return validated;
    const { problems, plan } = validated.value;
    const [problem] = problems;
    if (problem !== undefined) return { ok: false, error: problem };
    if (plan === undefined) throw new Error('an agent without problems has no plan');
    const written = await write(parts, plan);
    return mapOutcome(written, (value) => ({ ...value, ...toWarningsMember(draft) }));
  };
