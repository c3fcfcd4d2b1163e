import { createHash } from 'node:crypto';
import type { Answer } from '@gateway/agent-manager-client';
import type { AgentStore } from '../store/agent-store.ts';
import { connectCallers, ObjectCache, type CallerConnections } from '@gateway/kube-client';
import { LRUCache } from 'lru-cache';
import type { CallerReleases, OpenedCallerReleases } from '../results/opened-releases.ts';
import { kubernetesStore } from './kubernetes-store.ts';
import { FIELD_MANAGER, type KubernetesReleasesOptions } from './open-kubernetes-releases.ts';

/** Maximum number of callers whose stores are in memory; that of the least recent caller is evicted. */
const MAX_STORES = 256;
/** A store that no call has used for this time is removed, and its token with it. */
const IDLE_MS = 5 * 60_000;

const REFUSES_ANONYMOUS: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden']);

/** Tokens are not keys, so that a dump of the keys shows none. */
const keyOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** An API that answers may refuse a request without credentials. */
const checkOf = (store: AgentStore) => async (): Promise<Answer<true>> => {
  const answer = await store.check();
  const isReachable = answer.ok || REFUSES_ANONYMOUS.has(answer.refusal.code);
  return isReachable ? { ok: true, value: true } : answer;
};

const callerReleases = (
  connections: CallerConnections,
  { namespaces, onWarning = () => undefined }: KubernetesReleasesOptions,
): CallerReleases => {
  const cache = new ObjectCache();
  const stores = new LRUCache<string, AgentStore>({
    max: MAX_STORES,
    ttl: IDLE_MS,
    updateAgeOnGet: true,
  });
  const anonymous = kubernetesStore({ connection: connections.anonymous, namespaces, onWarning });
  return {
    storeOf: (token) => {
      const key = keyOf(token);
      const known = stores.get(key);
      if (known !== undefined) return known;
      const connection = connections.as(token);
      const store = kubernetesStore({
        ...{ connection, cache, namespaces, onWarning },
        actor: 'caller',
      });
      stores.set(key, store);
      return store;
    },
    check: checkOf(anonymous),
    close: () => {
      stores.clear();
      connections.close();
      return Promise.resolve();
    },
  };
};

/**
 * Opens stores of agents in a Kubernetes cluster, one for each caller. Requests carry the token of the caller and no other credential, so that
 * the cluster decides what the caller may do. Reads the configuration and loads the client library, but sends no request.
 */
export const openCallerReleases = async (
  options: KubernetesReleasesOptions,
): Promise<OpenedCallerReleases> => {
  const { kubeconfig, timeoutMs } = options;
  const connected = await connectCallers({
    fieldManager: FIELD_MANAGER,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return connected.ok
    ? { ok: true, releases: callerReleases(connected.connections, options) }
    : connected;
};
