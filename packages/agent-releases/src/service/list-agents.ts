import type { Agent, ClientOutcome } from '@gateway/agent-manager-client';
import { readNestedValue, toNonBlankText } from '../values/lenient.ts';
import { findLabelOwner, readReleaseFacts } from '../read/object-facts.ts';
import { readAgent } from '../read/read-agent.ts';
import type { AgentResource, HelmRelease, ObjectName } from '../store/agent-store.ts';
import {
  filterAgentReleases,
  type AgentService,
  type AgentServiceParts,
  resolveManagedNamespace,
} from './find-agent.ts';

const readObjectName = (object: AgentResource): string =>
  toNonBlankText(readNestedValue(object, 'metadata', 'name')) ?? '';

/** The releases of a namespace by name. */
type ReleasesByName = Map<string, HelmRelease>;

const isManaged = ({ namespaces }: AgentServiceParts, { namespace }: ObjectName): boolean =>
  namespaces.includes(namespace);

/** Returns the release in the labels of an Agent, if it exists. */
const findOwnerRelease = async (
  parts: AgentServiceParts,
  owner: ObjectName,
  here: { readonly namespace: string; readonly releases: ReleasesByName },
): Promise<ClientOutcome<HelmRelease | undefined>> => {
  if (owner.namespace === here.namespace) return { ok: true, value: here.releases.get(owner.name) };
  if (!isManaged(parts, owner)) return { ok: true, value: undefined };
  const found = await parts.store.getRelease(owner);
  return found.ok ? { ok: true, value: found.value?.object } : found;
};

interface NamespaceObjects {
  readonly namespace: string;
  readonly agents: readonly AgentResource[];
  readonly releases: ReleasesByName;
  /** The releases of the agent chart. */
  readonly chartReleases: ReadonlySet<HelmRelease>;
}

const findAgentRelease = async (
  parts: AgentServiceParts,
  agent: AgentResource,
  { namespace, releases, chartReleases }: NamespaceObjects,
): Promise<ClientOutcome<HelmRelease | undefined>> => {
  const owner = findLabelOwner(agent);
  const labelled = owner && (await findOwnerRelease(parts, owner, { namespace, releases }));
  if (labelled !== undefined && (!labelled.ok || labelled.value !== undefined)) return labelled;
  const named = releases.get(readObjectName(agent));
  return { ok: true, value: named !== undefined && chartReleases.has(named) ? named : undefined };
};

const readAll = async (
  parts: AgentServiceParts,
  objects: NamespaceObjects,
): Promise<ClientOutcome<readonly Agent[]>> => {
  const unrendered = new Map(
    [...objects.chartReleases].map((release) => [readReleaseFacts(release).name, release]),
  );
  const read: Agent[] = [];
  for (const agent of objects.agents) {
    const found = await findAgentRelease(parts, agent, objects);
    if (!found.ok) return found;
    const release = found.value;
    if (release !== undefined) unrendered.delete(readReleaseFacts(release).name);
    unrendered.delete(readObjectName(agent));
    read.push(release === undefined ? readAgent({ agent }) : readAgent({ release, agent }));
  }
  for (const release of unrendered.values()) read.push(readAgent({ release }));
  return { ok: true, value: read };
};

const compareByName = (one: Agent, other: Agent): number =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : 0;

/** Lists the Agents of a namespace, and the releases of the agent chart that have no Agent yet. @spec §4.4 */
export const listAgents =
  (parts: AgentServiceParts): AgentService['list_agents'] =>
  async (draft) => {
    const namespace = resolveManagedNamespace(parts, draft.namespace);
    if (!namespace.ok) return namespace;
    const [agents, releases] = await Promise.all([
      parts.store.listAgents(namespace.value),
      parts.store.listReleases(namespace.value),
    ]);
    if (!agents.ok) return agents;
    if (!releases.ok) return releases;
    const objects = releases.value.map(({ object }) => object);
    const chartReleases = await filterAgentReleases(parts, objects);
    if (!chartReleases.ok) return chartReleases;
    const read = await readAll(parts, {
      namespace: namespace.value,
      agents: agents.value,
      releases: new Map(objects.map((release) => [readReleaseFacts(release).name, release])),
      chartReleases: new Set(chartReleases.value),
    });
    return read.ok ? { ok: true, value: { agents: read.value.toSorted(compareByName) } } : read;
  };
