import type { ClientCredentialsSecretRef } from '@gateway/crd-schemas';
import type { SecretSource } from '../ports/secret-source.ts';
import type { ClientCredentials } from '@gateway/service-host';

/** The credentials of a client, or one line why there are none. */
export type ClientCredentialsOutcome =
  | { readonly ok: true; readonly credentials: ClientCredentials }
  | { readonly ok: false; readonly reason: string };

/** Reads both parts of the credentials of a client. Never rejects. @spec §2.6 clientCredentialsSecretRef */
export const readClientCredentials = async (
  { name, namespace, clientIdKey, clientSecretKey }: ClientCredentialsSecretRef,
  secrets: SecretSource,
): Promise<ClientCredentialsOutcome> => {
  const id = await secrets.read({ name, namespace, key: clientIdKey });
  if (!id.ok) return id;
  const secret = await secrets.read({ name, namespace, key: clientSecretKey });
  if (!secret.ok) return secret;
  return { ok: true, credentials: { clientId: id.value, clientSecret: secret.value } };
};
