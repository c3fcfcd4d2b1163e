export type { RegisteredClient } from './clients/identify-client.ts';
export { createDownstreamAuth } from './create-downstream-auth.ts';
export type { DownstreamAuth, DownstreamAuthOptions } from './create-downstream-auth.ts';
export { audienceScope, requiredAudiencesOf } from './id-tokens/required-audiences.ts';
export type {
  Credential,
  CredentialChange,
  CredentialKind,
  CredentialOutcome,
  Rejection,
  ServerCredentials,
} from './ports/credentials.ts';
export type { IdTokenOutcome, IdTokenSource, WantedIdToken } from './ports/id-token-source.ts';
export type { SecretOutcome, SecretReference, SecretSource } from './ports/secret-source.ts';
export type { SignInLog } from './ports/sign-in-log.ts';
export type { LoginOutcome, LogoutOutcome, ServerSignIn } from './ports/sign-in-outcome.ts';
export { createFileSecretSource } from './secrets/file-secret-source.ts';
