export { createDownstreamAuth } from './create-downstream-auth.ts';
export type { DownstreamAuth } from './create-downstream-auth.ts';
export { listRequiredAudiences } from './id-tokens/id-token.ts';
export type { SignInCheck } from './ports/sign-in.ts';
export type { ServerSignIn, ServerSignInFact, ServerSignInObserver } from './ports/sign-in.ts';
export { createFileReferences } from './secrets/secret-files.ts';
export { createFollowedFiles } from './secrets/secret-files.ts';
export { createFileSecretSource } from './secrets/secret-files.ts';
export { START_PATH } from './sign-in/routes.ts';
