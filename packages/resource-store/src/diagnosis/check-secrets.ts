import type { ClientCredentialsSecretRef } from '@gateway/crd-schemas';
import type { ApiConnection } from '@gateway/kube-client';
import { secretObjects } from '../kubernetes/referenced-objects.ts';
import type { Access, ClusterFinding } from './cluster-finding.ts';

/** A Secret with the client credentials of a server. */
export interface UsedSecret {
  /** `namespace/name`. */
  readonly server: string;
  readonly reference: ClientCredentialsSecretRef;
}

const idOf = ({ namespace, name }: { readonly namespace?: string; readonly name?: string }) =>
  `${namespace ?? ''}/${name ?? ''}`;

/** Returns the permission for each Secret. */
export const secretAccess = (secrets: readonly UsedSecret[]): readonly Access[] => {
  const accesses = secrets.map(({ reference }): readonly [string, Access] => {
    const { namespace, name } = reference;
    return [idOf(reference), { group: '', resource: 'secrets', namespace, name, verbs: ['get'] }];
  });
  return [...new Map(accesses).values()];
};

/**
 * Returns the servers whose Secret does not have the values that the definition names. Secrets that the account may not read are left out;
 * values are no part of findings.
 */
export const checkSecrets = async (
  connection: ApiConnection,
  secrets: readonly UsedSecret[],
  access: readonly ClusterFinding[],
): Promise<readonly ClusterFinding[]> => {
  const refused = new Set(
    access.flatMap((finding) =>
      finding.code === 'access-missing' && finding.access.resource === 'secrets'
        ? [idOf(finding.access)]
        : [],
    ),
  );
  const { read } = secretObjects(connection);
  const findings: ClusterFinding[] = [];
  for (const { server, reference } of secrets) {
    if (refused.has(idOf(reference))) continue;
    const { name, namespace, clientIdKey, clientSecretKey } = reference;
    for (const key of [clientIdKey, clientSecretKey]) {
      const value = await read({ name, namespace, key });
      if (value.ok) continue;
      findings.push({ code: 'secret-unusable', server, reason: value.reason });
      break;
    }
  }
  return findings;
};
