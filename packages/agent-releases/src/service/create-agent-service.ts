import {
  type ClientOutcome,
  type Info,
  type OperationName,
  REFUSALS,
  refuse,
} from '@gateway/agent-manager-client';
import { readAgent, readModelConfig } from '../read/read-agent.ts';
import { computeAgentStatus } from '../status/agent-status.ts';
import { API_VERSIONS } from '../store/agent-store.ts';
import { createAgent } from './create-agent.ts';
import { deleteAgent } from './delete-agent.ts';
import {
  type AgentService,
  type AgentServiceParts,
  findAgent,
  resolveAgentName,
  resolveManagedNamespace,
} from './find-agent.ts';
import { listAgents } from './list-agents.ts';
import { updateAgent } from './update-agent.ts';
import { validateAgent } from './validate-agent.ts';

/** Shows one agent. @spec §4.4 */
const getAgent =
  (parts: AgentServiceParts): AgentService['get_agent'] =>
  async (draft) => {
    const name = resolveAgentName(parts, draft);
    if (!name.ok) return name;
    const found = await findAgent(parts, name.value);
    if (!found.ok) return found;
    const { release, agent } = found.value;
    if (release !== undefined)
      return { ok: true, value: readAgent({ release: release.object, agent }) };
    return agent === undefined
      ? { ok: false, error: REFUSALS.noAgentToRead(name.value) }
      : { ok: true, value: readAgent({ agent }) };
  };

/** Returns the status of an agent. @spec §4.4 */
const getAgentStatus =
  (parts: AgentServiceParts): AgentService['get_agent_status'] =>
  async (draft) => {
    const name = resolveAgentName(parts, draft);
    if (!name.ok) return name;
    const found = await findAgent(parts, name.value);
    if (!found.ok) return found;
    const { release, agent } = found.value;
    if (release === undefined && agent === undefined)
      return { ok: false, error: REFUSALS.noAgentToRead(name.value) };
    const workload = await parts.store.workload(name.value);
    if (!workload.ok) return workload;
    return {
      ok: true,
      value: computeAgentStatus(name.value, {
        release: release?.object,
        agent,
        workload: workload.value,
      }),
    };
  };

const createInfo = ({
  version,
  chart,
  namespaces,
  flux,
  skills,
  identity = 'serviceAccount',
}: AgentServiceParts): Info => ({
  version,
  chart: {
    ociUrl: chart.ociUrl,
    semver: chart.semver,
    schemaVersion: chart.schemaVersion,
    schemaSource: chart.schemaSource,
  },
  namespaces: { default: namespaces[0], managed: [...namespaces] },
  capabilities: {
    list: true,
    get: true,
    create: true,
    update: true,
    delete: true,
    status: true,
    validate: true,
    modelConfigs: true,
    skills: skills !== undefined,
    writesAsCaller: identity === 'caller',
  },
  identity,
  apiVersions: { ...API_VERSIONS },
  flux: { ...flux },
  skillsRepositories: [...(skills?.repositories ?? [])],
});

/** Returns the managed namespaces and the capabilities. An operation whose capability is `false` is `unsupported`. */
const getInfo =
  (parts: AgentServiceParts): AgentService['get_info'] =>
  () =>
    Promise.resolve({ ok: true, value: createInfo(parts) });

/** Lists the models that agents of a namespace may use; empty when every name is accepted. */
const listModelConfigs =
  (parts: AgentServiceParts): AgentService['list_model_configs'] =>
  async (draft) => {
    const namespace = resolveManagedNamespace(parts, draft.namespace);
    if (!namespace.ok) return namespace;
    const configs = await parts.store.modelConfigs(namespace.value);
    return configs.ok
      ? { ok: true, value: { modelConfigs: configs.value.listed.map(readModelConfig) } }
      : configs;
  };

/** Lists the skills of the configured repositories. */
const listSkills =
  ({ skills }: AgentServiceParts): AgentService['list_skills'] =>
  (draft) =>
    skills === undefined
      ? Promise.resolve({ ok: false, error: REFUSALS.noSkillRepositories() })
      : skills.list(draft);

const MAX_REASON_CHARS = 200;

const formatReason = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1).join('').slice(0, MAX_REASON_CHARS);
};

/** Returns an unexpected error as a backend error. */
const createRejectionGuard =
  ({ onError }: AgentServiceParts) =>
  <Draft, Value>(operation: (draft: Draft) => Promise<ClientOutcome<Value>>) =>
  async (draft: Draft): Promise<ClientOutcome<Value>> => {
    try {
      return await operation(draft);
    } catch (error) {
      onError?.(error);
      return refuse('backend_error', `agent-manager failed: ${formatReason(error)}`);
    }
  };

/** Returns every operation of agent-manager with these dependencies. @spec §4.4 */
export const createAgentService = (parts: AgentServiceParts): AgentService => {
  const safe = createRejectionGuard(parts);
  return {
    get_info: safe(getInfo(parts)),
    list_agents: safe(listAgents(parts)),
    get_agent: safe(getAgent(parts)),
    get_agent_status: safe(getAgentStatus(parts)),
    validate_agent: safe(validateAgent(parts)),
    list_model_configs: safe(listModelConfigs(parts)),
    list_skills: safe(listSkills(parts)),
    create_agent: safe(createAgent(parts)),
    update_agent: safe(updateAgent(parts)),
    delete_agent: safe(deleteAgent(parts)),
  } satisfies { [Name in OperationName]: AgentService[Name] };
};
