import type { Principal, CredentialOutcome, Rejection } from '@gateway/call-contract';
import type { McpServer } from '@gateway/crd-schemas';

/** One way to get the credential of a user for a remote server. No method rejects; memory is bounded, and concurrent requests are shared. */
export interface TokenStrategy {
  /** Returns the credential; synchronously when it is in memory. */
  current(server: McpServer, principal: Principal): CredentialOutcome | Promise<CredentialOutcome>;
  /** Renews the credential after the server refused a request before it processed it. */
  renewRejected(
    server: McpServer,
    principal: Principal,
    rejection: Rejection,
  ): Promise<CredentialOutcome>;
}

export interface SecretReference {
  readonly name: string;
  readonly namespace?: string;
  readonly key: string;
}

type SecretOutcome =
  { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string };

/** Values of Secrets, from files or from Kubernetes. */
export interface SecretSource {
  /** Returns the value without a line break at its end. Never rejects. */
  read(reference: SecretReference): Promise<SecretOutcome>;
}
