import {
  type ClientOutcome,
  validateName,
  type OperationDraft,
  type OperationName,
  type OperationOutput,
  REFUSALS,
  refuse,
  type SkillList,
} from '@gateway/agent-manager-client';
import { type ComposeParts, createOciRepository } from '../compose/manifests.ts';
import {
  hasChartName,
  findLabelOwner,
  hasChartUrl,
  readReleaseFacts,
  findSourceName,
} from '../read/object-facts.ts';
import type {
  AgentResource,
  AgentStore,
  HelmRelease,
  ObjectName,
  OciRepository,
  Stored,
  Wait,
} from '../store/agent-store.ts';

/** A source of skills. Never rejects. */
export interface SkillSource {
  /** Addresses of the configured repositories. */
  readonly repositories: readonly string[];
  readonly list: (request: {
    readonly repository?: string | undefined;
    readonly ref?: string | undefined;
    readonly refresh?: boolean | undefined;
  }) => Promise<ClientOutcome<SkillList>>;
}

/** The dependencies of the service. */
export interface AgentServiceParts extends ComposeParts {
  readonly store: AgentStore;
  /** Managed namespaces; the first is the default one. */
  readonly namespaces: readonly [string, ...string[]];
  /** Version of agent-manager. */
  readonly version: string;
  /** The identity whose permissions apply to requests to the store; agent-manager when absent. */
  readonly identity?: 'caller' | 'serviceAccount';
  /** Absent when no repositories of skills are configured. */
  readonly skills?: SkillSource;
  /** Waits while Flux deletes objects. When absent, the service does not wait. */
  readonly wait?: Wait;
  /** Called with unexpected errors, of which the caller gets one line. Must not throw. */
  readonly onError?: (error: unknown) => void;
}

/** Every operation as a function. Never rejects: a failure is a refusal. @spec §4.4 */
export type AgentService = {
  readonly [Name in OperationName]: (
    draft: OperationDraft<Name>,
  ) => Promise<ClientOutcome<OperationOutput<Name>>>;
};

/** Returns the requested namespace if it is managed; the default namespace for a blank value. */
export const resolveManagedNamespace = (
  { namespaces }: Pick<AgentServiceParts, 'namespaces'>,
  given: string | undefined,
): ClientOutcome<string> => {
  const namespace = given === undefined || given.trim() === '' ? namespaces[0] : given;
  return namespaces.includes(namespace)
    ? { ok: true, value: namespace }
    : { ok: false, error: REFUSALS.namespaceNotManaged({ namespace, managed: namespaces }) };
};

/** Returns the requested name of an agent, which must not be blank. The agent may not exist. */
export const resolveAgentName = (
  parts: Pick<AgentServiceParts, 'namespaces'>,
  given: { readonly namespace?: string | undefined; readonly name?: string | undefined },
): ClientOutcome<ObjectName> => {
  const namespace = resolveManagedNamespace(parts, given.namespace);
  if (!namespace.ok) return namespace;
  const name = given.name ?? '';
  return name.trim() === ''
    ? refuse('invalid_request', validateName(name) ?? '')
    : { ok: true, value: { namespace: namespace.value, name } };
};

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
const findManagedOwner = (
  agent: AgentResource | undefined,
  namespaces: readonly string[],
): ObjectName | undefined => {
  const owner = agent && findLabelOwner(agent);
  return owner !== undefined && namespaces.includes(owner.namespace) ? owner : undefined;
};

/** Returns whether a release installs the agent chart. Releases of other charts are ignored. */
const isAgentRelease = async (
  { store, namespaces, chart }: Parts,
  release: HelmRelease,
): Promise<ClientOutcome<boolean>> => {
  const source = findSourceName(release);
  if (source === undefined || !namespaces.includes(source.namespace))
    return { ok: true, value: source !== undefined && hasChartName(source, chart) };
  if (hasChartName(source, chart)) return { ok: true, value: true };
  const stored = await store.getSource(source);
  return stored.ok ? { ok: true, value: hasChartUrl(stored.value, chart) } : stored;
};

const findReleaseByName = async (
  parts: Parts,
  name: ObjectName,
): Promise<ClientOutcome<FoundAgent['release']>> => {
  const named = await parts.store.getRelease(name);
  if (!named.ok || named.value === undefined) return named;
  const isOfChart = await isAgentRelease(parts, named.value.object);
  if (!isOfChart.ok) return isOfChart;
  return { ok: true, value: isOfChart.value ? named.value : undefined };
};

/** Returns an Agent and its release: the release in the labels of the Agent, else the release of the agent chart with the same name. */
export const findAgent = async (
  parts: Parts,
  name: ObjectName,
): Promise<ClientOutcome<FoundAgent>> => {
  if (!canExist(name)) return { ok: true, value: NOTHING };
  const agent = await parts.store.getAgent(name);
  if (!agent.ok) return agent;
  const owner = findManagedOwner(agent.value, parts.namespaces);
  const labelled = owner === undefined ? undefined : await parts.store.getRelease(owner);
  if (labelled?.ok === false) return labelled;
  const release = labelled?.value === undefined ? await findReleaseByName(parts, name) : labelled;
  return release.ok ? { ok: true, value: { agent: agent.value, release: release.value } } : release;
};

/** Returns the releases that install the agent chart. Reads every source once. */
export const filterAgentReleases = async (
  parts: AgentServiceParts,
  releases: readonly HelmRelease[],
): Promise<ClientOutcome<readonly HelmRelease[]>> => {
  const isOfChart = new Map<string, boolean>();
  for (const release of releases) {
    const key = readReleaseFacts(release).sourceKey;
    if (isOfChart.has(key)) continue;
    const installed = await isAgentRelease(parts, release);
    if (!installed.ok) return installed;
    isOfChart.set(key, installed.value);
  }
  return {
    ok: true,
    value: releases.filter((release) => isOfChart.get(readReleaseFacts(release).sourceKey)),
  };
};

/** Returns the source that a release names if it is valid, else the source of new agents in its namespace. */
export const resolveReleaseSource = async (
  parts: AgentServiceParts,
  release: HelmRelease,
  { namespace }: ObjectName,
): Promise<OciRepository> => {
  const named = findSourceName(release);
  const own = named?.namespace === namespace ? await parts.store.getSource(named) : undefined;
  return own?.ok === true && own.value !== undefined
    ? own.value
    : createOciRepository(parts, namespace);
};
