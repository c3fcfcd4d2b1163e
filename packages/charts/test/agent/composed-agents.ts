import {
  type ClientOutcome,
  type AgentManifests,
  type OperationDraft,
  type ValidateResult,
} from '@gateway/agent-manager-client';
import { createAgentService, type AgentChart, type AgentStore } from '@gateway/agent-releases';

const answer = <T>(value: T): (() => Promise<ClientOutcome<T>>) => {
  const answered = Promise.resolve({ ok: true, value } as const);
  return () => answered;
};

const writes = (): Promise<never> => Promise.reject(new Error('written while only tried'));

/** A read-only store with an empty namespace. */
const NOTHING: AgentStore = {
  listReleases: answer([]),
  getRelease: answer(undefined),
  createRelease: writes,
  replaceRelease: writes,
  deleteRelease: writes,
  listAgents: answer([]),
  getAgent: answer(undefined),
  deleteAgent: writes,
  getSource: answer(undefined),
  createSource: writes,
  deleteSource: writes,
  modelConfigs: answer({ listed: [], isOpen: true }),
  workload: answer({ deployment: undefined, pods: [], events: [] }),
  watch: () => () => undefined,
  check: answer(true),
  close: () => Promise.resolve(),
};

type Draft = OperationDraft<'create_agent'>;

/** Returns the answer of agent-manager for a new agent. */
export const tried = async (chart: AgentChart, draft: Draft): Promise<ValidateResult> => {
  const service = createAgentService({
    store: NOTHING,
    chart,
    namespaces: ['default'],
    version: '0.4.0',
    flux: { helmReleaseInterval: '10m', ociRepositoryInterval: '30m' },
  });
  const result = await service.validate_agent({ name: 'demo', modelConfig: 'small', ...draft });
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

/** Returns the objects that agent-manager composes for an agent. */
export const composed = async (chart: AgentChart, draft: Draft): Promise<AgentManifests> => {
  const { valid, errors, manifests } = await tried(chart, draft);
  if (!valid || manifests === undefined) throw new Error(errors?.join('\n'));
  return manifests;
};
