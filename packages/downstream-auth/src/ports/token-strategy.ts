import type { Principal } from '@gateway/call-contract';
import type { McpServer } from '@gateway/crd-schemas';
import type { CredentialOutcome, Rejection } from './credentials.ts';

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
