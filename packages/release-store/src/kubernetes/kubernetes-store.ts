import { REFUSALS, type Answer } from '@gateway/agent-manager-client';
import type { AgentStore, KubernetesObject, Stored } from '@gateway/agent-releases';
import { mapped, objectOf, written } from '../store-answers.ts';
import type { ApiConnection } from './api-connection.ts';
import { refusalOf } from './api-failure.ts';
import { API_KINDS, collectionPath } from './api-kind.ts';
import { ObjectReads } from './object-reads.ts';
import { ObjectWatches } from './object-watches.ts';
import { ObjectWrites } from './object-writes.ts';
import { readWorkload } from './workload.ts';

/** What the store is made of. */
export interface KubernetesStoreParts {
  readonly connection: ApiConnection;
  /** Managed namespaces. */
  readonly namespaces: readonly string[];
  readonly onWarning: (sentence: string) => void;
}

const objectsOf = (all: readonly Stored<KubernetesObject>[]): readonly KubernetesObject[] =>
  all.map(({ object }) => object);

/** Asks for one release in each namespace: whether the API is there, knows releases and lets them be read. */
const checkEach = async (
  connection: ApiConnection,
  namespaces: readonly string[],
): Promise<Answer<true>> => {
  const kind = API_KINDS.HelmRelease;
  const answers = await Promise.all(
    namespaces.map(async (namespace): Promise<Answer<true>> => {
      const path = collectionPath(kind, namespace);
      const answer = await connection.ask({ method: 'GET', path, query: { limit: '1' } });
      if (answer.ok) return { ok: true, value: true };
      return refusalOf(answer.failure, { verb: 'list', kind, namespace });
    }),
  );
  return answers.find((answer) => !answer.ok) ?? { ok: true, value: true };
};

/** The port to agents, over the Kubernetes API. */
export const kubernetesStore = (parts: KubernetesStoreParts): AgentStore => {
  const { connection, namespaces, onWarning } = parts;
  const { HelmRelease, OCIRepository, Agent, ModelConfig } = API_KINDS;
  const reads = new ObjectReads(connection);
  const watches = new ObjectWatches(connection, onWarning);
  const writes = new ObjectWrites(connection, reads, () => watches.begun());
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
    watch: (watched, listener) => watches.begin(watched, listener),
    check: () => checkEach(connection, namespaces),
    close: () => {
      watches.close();
      connection.close();
      return Promise.resolve();
    },
  };
};
