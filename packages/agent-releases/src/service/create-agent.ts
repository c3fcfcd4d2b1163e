import type { AgentServiceParts, AgentService } from './agent-service.ts';
import { manifestsOf } from '../compose/manifests.ts';
import { readAgent } from '../read/read-agent.ts';
import { agentStatus } from '../status/agent-status.ts';
import type { Workload } from '../store/objects.ts';
import { validateCreation, type CreationPlan } from './validate-creation.ts';
import { creationArgumentProblems, toolNamesAnswer } from './validated.ts';
import { managedNamespace } from './managed-agent.ts';

type Created = ReturnType<AgentService['create_agent']>;

/** The workload of an agent whose release was just written. */
const NOTHING: Workload = { deployment: undefined, pods: [], events: [] };

/**
 * The source comes first, so that no release ever waits for it. It stays when the release is refused after all: it belongs to the whole
 * namespace, and somebody else may have begun to use it. It is ensured again once the release is there: a deletion of the last other
 * agent may have taken it away in between, and sees no user of it that comes later.
 */
const write = async ({ store }: AgentServiceParts, { source, release }: CreationPlan): Created => {
  const sourceMade = await store.createSource(source);
  if (!sourceMade.ok) return sourceMade;
  const releaseMade = await store.createRelease(release);
  if (!releaseMade.ok) return releaseMade;
  const ensuredSource = await store.createSource(source);
  const isSourceMadeAgain = ensuredSource.ok && ensuredSource.value;
  const made = releaseMade.value.object;
  return {
    ok: true,
    value: {
      agent: readAgent({ release: made }),
      manifests: manifestsOf(release, source),
      created: { ociRepository: sourceMade.value || isSourceMadeAgain, helmRelease: true },
      status: agentStatus(release.metadata, { release: made, agent: undefined, workload: NOTHING }),
    },
  };
};

/** Creates an agent as a release of the agent chart. Nothing is written on a refusal before the writes. @spec §4.4 */
export const createAgent =
  (parts: AgentServiceParts): AgentService['create_agent'] =>
  async (draft) => {
    const namespace = managedNamespace(parts, draft.namespace);
    if (!namespace.ok) return namespace;
    const toolNames = toolNamesAnswer(draft);
    if (!toolNames.ok) return toolNames;
    const [wrong] = creationArgumentProblems(draft);
    if (wrong !== undefined) return { ok: false, refusal: wrong };
    const validated = await validateCreation(parts, namespace.value, { draft, isTrial: false });
    if (!validated.ok) return validated;
    const { problems, plan } = validated.value;
    const [problem] = problems;
    if (problem !== undefined) return { ok: false, refusal: problem };
    if (plan === undefined) throw new Error('nothing is wrong with an agent that is not composed');
    return await write(parts, plan);
  };
