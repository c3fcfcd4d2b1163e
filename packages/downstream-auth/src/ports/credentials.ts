import type { Principal, CredentialOutcome, Rejection } from '@gateway/call-contract';
import type { McpServer } from '@gateway/crd-schemas';

/**
 * One way to get the credential of a person for a server. The servers are remote ones of one kind of `spec.auth`. No method rejects; each
 * bounds its memory and shares concurrent requests of one person to one provider.
 */
export interface TokenStrategy {
  /** Returns the credential; synchronously when it is in memory. */
  current(server: McpServer, principal: Principal): CredentialOutcome | Promise<CredentialOutcome>;
  /** Renews the credential after the server refused a request before it processed it. */
  rejected(
    server: McpServer,
    principal: Principal,
    rejection: Rejection,
  ): Promise<CredentialOutcome>;
}

/** One value of a Secret. */
export interface SecretReference {
  readonly name: string;
  readonly namespace?: string;
  readonly key: string;
}

/** The value, or one line why there is none. */
type SecretOutcome =
  { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string };

/** Values of Secrets, from files or from Kubernetes. */
export interface SecretSource {
  /** Returns the value without a line break at its end. Never rejects. */
  read(reference: SecretReference): Promise<SecretOutcome>;
}
