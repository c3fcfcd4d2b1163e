import type { Answer } from '@gateway/agent-manager-client';
import { labelledOwner } from '../read/ownership.ts';
import { isNamedAsChart, leadsToChart, sourceNameOf } from '../read/chart-ref.ts';
import type { AgentResource, HelmRelease, ObjectName, Stored } from '../store/objects.ts';
import type { AgentServiceParts } from './agent-service.ts';

/** The objects of an agent. Either or both may be missing. */
export interface FoundAgent {
  readonly release: Stored<HelmRelease> | undefined;
  readonly agent: AgentResource | undefined;
}

/** Matches the names of Kubernetes: DNS-1123 subdomains. */
const OBJECT_NAME = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/u;
const MAX_OBJECT_NAME_CHARS = 253;

const NOTHING: FoundAgent = { release: undefined, agent: undefined };

/** Returns whether an object can have this name. Other names are not requested. */
const canExist = ({ name }: ObjectName): boolean =>
  name.length <= MAX_OBJECT_NAME_CHARS && OBJECT_NAME.test(name);

type Parts = Pick<AgentServiceParts, 'store' | 'namespaces' | 'chart'>;

/** Returns the release in the labels of an Agent; undefined when its namespace is not managed, because nothing is read there. */
const managedOwner = (
  agent: AgentResource | undefined,
  namespaces: readonly string[],
): ObjectName | undefined => {
  const owner = agent && labelledOwner(agent);
  return owner !== undefined && namespaces.includes(owner.namespace) ? owner : undefined;
};

/** Returns whether a release installs the agent chart. Releases of other charts are ignored. */
export const installsChart = async (
  { store, namespaces, chart }: Parts,
  release: HelmRelease,
): Promise<Answer<boolean>> => {
  const source = sourceNameOf(release);
  if (source === undefined || !namespaces.includes(source.namespace))
    return { ok: true, value: source !== undefined && isNamedAsChart(source, chart) };
  if (isNamedAsChart(source, chart)) return { ok: true, value: true };
  const stored = await store.getSource(source);
  return stored.ok ? { ok: true, value: leadsToChart(stored.value, chart) } : stored;
};

const releaseOfSameName = async (
  parts: Parts,
  name: ObjectName,
): Promise<Answer<FoundAgent['release']>> => {
  const named = await parts.store.getRelease(name);
  if (!named.ok || named.value === undefined) return named;
  const isOfChart = await installsChart(parts, named.value.object);
  if (!isOfChart.ok) return isOfChart;
  return { ok: true, value: isOfChart.value ? named.value : undefined };
};

/** Returns an Agent and its release: the release in the labels of the Agent, else the release of the agent chart with the same name. */
export const findAgent = async (parts: Parts, name: ObjectName): Promise<Answer<FoundAgent>> => {
  if (!canExist(name)) return { ok: true, value: NOTHING };
  const agent = await parts.store.getAgent(name);
  if (!agent.ok) return agent;
  const owner = managedOwner(agent.value, parts.namespaces);
  const labelled = owner === undefined ? undefined : await parts.store.getRelease(owner);
  if (labelled?.ok === false) return labelled;
  const release = labelled?.value === undefined ? await releaseOfSameName(parts, name) : labelled;
  return release.ok ? { ok: true, value: { agent: agent.value, release: release.value } } : release;
};
