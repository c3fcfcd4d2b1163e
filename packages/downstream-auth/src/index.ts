export { createDownstreamAuth } from './create-downstream-auth.ts';
export type { DownstreamAuth, DownstreamAuthOptions } from './create-downstream-auth.ts';
export type {
  Credential,
  CredentialChange,
  CredentialKind,
  CredentialOutcome,
  Rejection,
  ServerCredentials,
} from './ports/credentials.ts';
export type { IdTokenOutcome, IdTokenSource } from './ports/id-token-source.ts';
export type { SecretOutcome, SecretReference, SecretSource } from './ports/secret-source.ts';
export type { SignInLog } from './ports/sign-in-log.ts';
export type { LoginOutcome, LogoutOutcome, ServerSignIn } from './ports/sign-in-outcome.ts';
