import { createSign, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Certificate, CertificateAuthority } from '../certificate-authority.ts';
import { ApiClient, type ClusterObject } from './api-client.ts';
import { formatKubeconfig } from '../kubeconfig.ts';
import {
  resolveClusterFiles,
  type ClusterFiles,
  toCluster,
  readAuthority,
  findUser,
} from './cluster-files.ts';

/** The API server accepts a token for this time after its `exp`. */
const LEEWAY_SECONDS = 60;

export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

const encodePart = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs a token as the API server does, which itself issues none for less than 10 minutes. @param seconds how long the API server accepts it */
const signAccountToken = (
  key: string,
  issuer: string,
  { namespace, name, uid }: ServiceAccount,
  seconds: number,
): string => {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: [issuer],
    sub: `system:serviceaccount:${namespace}:${name}`,
    iat: now - LEEWAY_SECONDS,
    nbf: now - LEEWAY_SECONDS,
    exp: now + seconds - LEEWAY_SECONDS,
    'kubernetes.io': { namespace, serviceaccount: { name, uid } },
  };
  const signed = `${encodePart({ alg: 'RS256', typ: 'JWT' })}.${encodePart(claims)}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
};

export interface ClusterFacts {
  readonly folder: string;
  readonly url: string;
  readonly etcdUrl: string;
  readonly hasControllers: boolean;
}

interface DefinitionSpec {
  readonly group: string;
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  readonly names: { readonly plural: string };
}

const SHORTEST_TOKEN_SECONDS = 600;
const POLL_MS = 20;

export class Cluster {
  readonly url: string;
  readonly ca: string;
  readonly kubeconfig: string;
  readonly admin: ApiClient;
  readonly #facts: ClusterFacts;
  readonly #files: ClusterFiles;
  readonly #authority: CertificateAuthority;

  constructor(facts: ClusterFacts, authority: CertificateAuthority, certificate: Certificate) {
    this.url = facts.url;
    this.ca = authority.cert;
    this.#facts = facts;
    this.#files = resolveClusterFiles(facts.folder);
    this.#authority = authority;
    this.kubeconfig = this.#files.adminKubeconfig;
    this.admin = this.client({ certificate });
  }

  /** Returns a client that sends requests with a token or a certificate, or without a user. */
  client(user: { certificate?: Certificate; token?: string } = {}): ApiClient {
    return new ApiClient({ url: this.url, ca: this.ca, ...user });
  }

  async namespace(): Promise<string> {
    const name = `test-${randomBytes(6).toString('hex')}`;
    await this.admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const account = `/api/v1/namespaces/${name}/serviceaccounts/default`;
    while (this.#facts.hasControllers && (await this.admin.request('GET', account)).status !== 200)
      await delay(POLL_MS);
    return name;
  }

  /** Creates or changes a CustomResourceDefinition. Resolves when the API serves objects of it. */
  async define(definition: ClusterObject): Promise<void> {
    await this.admin.apply(definition);
    const { group, versions, names } = definition['spec'] as DefinitionSpec;
    // Right after `Established`, a list of the new kind may still fail.
    for (const { name } of versions.filter(({ served }) => served)) {
      const path = `/apis/${group}/${name}/${names.plural}`;
      while ((await this.admin.request('GET', path)).status !== 200) await delay(POLL_MS);
    }
  }

  /** Returns a token of an administrator, for clients that cannot present a certificate. */
  async administratorToken(): Promise<string> {
    const account = { namespace: 'kube-system', name: 'administrator' };
    const group = 'rbac.authorization.k8s.io';
    await this.admin.apply({
      apiVersion: `${group}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: account.name },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    });
    return this.serviceAccountToken(account.namespace, account.name);
  }

  /** Returns the path of the kubeconfig of a user with a client certificate. */
  async user(name: string, groups: readonly string[] = []): Promise<string> {
    return this.writeKubeconfig(await findUser(this.#authority, name, groups));
  }

  async writeKubeconfig(user: object): Promise<string> {
    const path = join(this.#files.folder, `${randomBytes(6).toString('hex')}.kubeconfig`);
    await writeFile(path, formatKubeconfig(this.url, user, toCluster(this.ca)), { mode: 0o600 });
    return path;
  }

  /** Creates a service account and returns a token of it. @param seconds how long the API server accepts it; by default 3,600 */
  async serviceAccountToken(
    namespace: string,
    name: string,
    { seconds = 3600 }: { readonly seconds?: number } = {},
  ): Promise<string> {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } };
    const { metadata } = await this.admin.apply(account);
    if (seconds < SHORTEST_TOKEN_SECONDS) {
      const key = await readFile(this.#files.accountKey, 'utf8');
      const uid = String(metadata['uid']);
      return signAccountToken(key, this.url, { namespace, name, uid }, seconds);
    }
    const path = `${await this.admin.resolvePath(account)}/token`;
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' };
    const content = { ...request, spec: { expirationSeconds: seconds } };
    const created = await this.admin.expect('POST', path, { content });
    return (created as { readonly status: { readonly token: string } }).status.token;
  }
}

export const connectCluster = async (facts: ClusterFacts): Promise<Cluster> => {
  const authority = await readAuthority(resolveClusterFiles(facts.folder));
  return new Cluster(facts, authority, await authority.client('admin', ['system:masters']));
};
