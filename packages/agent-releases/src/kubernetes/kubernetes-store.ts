import { REFUSALS, type Answer } from '@gateway/agent-manager-client';
import type { AgentStore } from '../store/agent-store.ts';
import type { KubernetesObject, Stored } from '../store/objects.ts';
import { mapped, objectOf, written } from '../results/store-answers.ts';
import { collectionPath, ObjectCache, type ApiConnection } from '@gateway/kube-client';
import { API_KINDS } from './api-kinds.ts';
import { ObjectReads } from './object-reads.ts';
import { refusalsFor, type Actor, type RefuseRequest } from './refusal.ts';
import { ReleaseInformers } from './release-informers.ts';
import { ObjectWrites } from './object-writes.ts';
import { readWorkload } from './workload.ts';

/** The connection and settings of a store. */
export interface KubernetesStoreParts {
  readonly connection: ApiConnection;
  /** Shared by stores of one cluster; a new one when absent. */
  readonly cache?: ObjectCache;
  /** The managed namespaces. */
  readonly namespaces: readonly string[];
  readonly onWarning: (sentence: string) => void;
  /** `agent-manager` when absent. */
  readonly actor?: Actor;
}

const objectsOf = (all: readonly Stored<KubernetesObject>[]): readonly KubernetesObject[] =>
  all.map(({ object }) => object);

/** Lists one release in each namespace: this fails when the API is down, does not serve releases or forbids reading them. */
const checkEach = async (
  connection: ApiConnection,
  namespaces: readonly string[],
  refuse: RefuseRequest,
): Promise<Answer<true>> => {
  const kind = API_KINDS.HelmRelease;
  const responses = await Promise.all(
    namespaces.map(async (namespace): Promise<Answer<true>> => {
      const path = collectionPath(kind, namespace);
      const response = await connection.send({ method: 'GET', path, query: { limit: '1' } });
      if (response.ok) return { ok: true, value: true };
      return refuse(response.failure, { verb: 'list', kind, namespace });
    }),
  );
  return responses.find((response) => !response.ok) ?? { ok: true, value: true };
};

/** Returns the store over a connection to the Kubernetes API. */
export const kubernetesStore = (parts: KubernetesStoreParts): AgentStore => {
  const { connection, cache = new ObjectCache(), namespaces, onWarning } = parts;
  const { HelmRelease, OCIRepository, Agent, ModelConfig } = API_KINDS;
  const refuse = refusalsFor(parts.actor ?? 'agent-manager');
  const reads = new ObjectReads(connection, cache, refuse);
  const informers = new ReleaseInformers(connection, onWarning);
  const writes = new ObjectWrites(connection, reads, () => informers.synced());
  return {
    listReleases: (namespace) => reads.listAll(HelmRelease, namespace),
    getRelease: (name) => reads.get(HelmRelease, name),
    createRelease: async (release) =>
      written(await writes.create(HelmRelease, release), REFUSALS.releaseExists(release.metadata)),
    replaceRelease: async (release, revision) =>
      written(
        await writes.replace(HelmRelease, release, revision),
        REFUSALS.releaseChanged(release.metadata),
      ),
    deleteRelease: (name) => writes.delete(HelmRelease, name),
    listAgents: async (namespace) => mapped(await reads.listAll(Agent, namespace), objectsOf),
    getAgent: async (name) => mapped(await reads.get(Agent, name), objectOf),
    deleteAgent: (name) => writes.delete(Agent, name),
    getSource: async (name) => mapped(await reads.get(OCIRepository, name), objectOf),
    createSource: async (source) =>
      mapped(await writes.create(OCIRepository, source), (created) => created !== undefined),
    deleteSource: (name) => writes.delete(OCIRepository, name),
    modelConfigs: async (namespace) =>
      mapped(await reads.listAll(ModelConfig, namespace), (all) => ({
        listed: objectsOf(all),
        isOpen: false,
      })),
    workload: (name) => readWorkload(reads, name),
    watch: (watched, listener) => informers.start(watched, listener),
    check: () => checkEach(connection, namespaces, refuse),
    close: () => {
      informers.close();
      connection.close();
      return Promise.resolve();
    },
  };
};
