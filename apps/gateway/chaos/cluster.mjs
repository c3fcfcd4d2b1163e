import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createCustomResourceDefinition } from '@gateway/crd-schemas';
import { startOwnCluster } from '@gateway/test-peers';
import { API_VERSION, CHART_KINDS, grantGateway } from '../test/harness/gateway-cluster.ts';

const ACCOUNT = 'gateway';
const TOKEN_SECONDS = 3_600;
const RETRY_MS = 200;
const RETRIES = 300;

/** A field that the gateway of this version does not know. */
const NEWER_FIELD = 'fieldOfNewerVersion';

/** Repeats a request while the API server is away. */
const persistently = async (attempt) => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries >= RETRIES) throw error;
      await wait(RETRY_MS);
    }
  }
};

const newerDefinition = () => {
  const definition = structuredClone(createCustomResourceDefinition('MCPServer'));
  for (const { schema } of definition.spec.versions)
    schema.openAPIV3Schema.properties.spec.properties[NEWER_FIELD] = { type: 'string' };
  return definition;
};

/** The API server of a run, with a namespace for the gateway and its service account. */
class ChaosCluster {
  own;
  namespace;
  /** The kubeconfig of the gateway. It names a file with a token, as a pod has it. */
  kubeconfig;
  #folder = mkdtempSync(join(tmpdir(), 'gateway-chaos-'));
  #tokenFile = join(this.#folder, 'token');

  async open() {
    this.own = await startOwnCluster();
    const { cluster } = this.own;
    for (const kind of CHART_KINDS) await cluster.define(createCustomResourceDefinition(kind));
    this.namespace = await cluster.namespace();
    await this.renewToken();
    await grantGateway(cluster, this.namespace);
    this.kubeconfig = await cluster.writeKubeconfig({ tokenFile: this.#tokenFile });
  }

  /** Writes another token into the file of the gateway. @param seconds how long it is accepted */
  async renewToken(seconds = TOKEN_SECONDS) {
    const { cluster } = this.own;
    const token = await persistently(() =>
      cluster.serviceAccountToken(this.namespace, ACCOUNT, { seconds }),
    );
    const next = `${this.#tokenFile}.next`;
    writeFileSync(next, token, { mode: 0o600 });
    renameSync(next, this.#tokenFile);
  }

  apply(kind, name, spec, labels = {}) {
    const metadata = { namespace: this.namespace, name, labels };
    const object = { apiVersion: API_VERSION, kind, metadata, spec };
    return persistently(() => this.own.cluster.admin.apply(object));
  }

  /** Deletes an object. One whose deletion was answered by nobody may be gone. */
  remove(plural, name) {
    const path = `${this.#path(plural)}/${name}`;
    return persistently(async () => {
      const { status, body } = await this.own.cluster.admin.request('DELETE', path);
      if (status !== 404 && status >= 300) throw new Error(`${path}: ${JSON.stringify(body)}`);
    });
  }

  /** Serves a definition of servers with a field more, or the usual one. */
  define(isNewer) {
    const definition = isNewer ? newerDefinition() : createCustomResourceDefinition('MCPServer');
    return persistently(() => this.own.cluster.admin.apply(definition));
  }

  list(plural) {
    return persistently(() => this.#items(this.#path(plural)));
  }

  events() {
    const path = `/apis/events.k8s.io/v1/namespaces/${this.namespace}/events`;
    return persistently(() => this.#items(path));
  }

  /** Returns the holder of the Lease. @throws while the API server is away */
  async leader() {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${this.namespace}/leases/gateway`;
    const { spec } = await this.own.cluster.admin.expect('GET', path);
    return spec.holderIdentity ?? '';
  }

  async close() {
    await this.own?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #path(plural) {
    return `/apis/${API_VERSION}/namespaces/${this.namespace}/${plural}`;
  }

  async #items(path) {
    return (await this.own.cluster.admin.expect('GET', path)).items;
  }
}

/** The field of objects that a newer definition has. */
export const newerSpec = (spec) => ({ ...spec, [NEWER_FIELD]: 'text' });

/** Starts the API server of a run. */
export const openCluster = async () => {
  const cluster = new ChaosCluster();
  try {
    await cluster.open();
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
};
