import type { ClientCredentialsSecretRef } from '@gateway/crd-schemas';
import type { SecretSource } from '../ports/secret-source.ts';
import type { ClientCredentials } from '@gateway/service-host';

/** The credentials of a client, or one line why there are none. */
export type ClientCredentialsOutcome =
  | { readonly ok: true; readonly credentials: ClientCredentials }
  | { readonly ok: false; readonly reason: string };

/** A client ID is public: everyone who starts a sign-in sees it. A definition must not show a secret as one. */
const SAME: ClientCredentialsOutcome = {
  ok: false,
  reason: 'clientIdKey and clientSecretKey name the same value, and a client ID is not secret',
};

/** Reads both parts of the credentials of a client; they must differ. Never rejects. @spec §2.6 clientCredentialsSecretRef */
export const readClientCredentials = async (
  { name, namespace, clientIdKey, clientSecretKey }: ClientCredentialsSecretRef,
  secrets: SecretSource,
): Promise<ClientCredentialsOutcome> => {
  const id = await secrets.read({ name, namespace, key: clientIdKey });
  if (!id.ok) return id;
  const secret = await secrets.read({ name, namespace, key: clientSecretKey });
  if (!secret.ok) return secret;
  if (id.value === secret.value) return SAME;
  return { ok: true, credentials: { clientId: id.value, clientSecret: secret.value } };
};
