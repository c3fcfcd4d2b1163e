export { createDownstreamAuth } from './create-downstream-auth.ts';
export type { DownstreamAuth } from './create-downstream-auth.ts';
export { requiredAudiencesOf } from './id-tokens/required-audiences.ts';
export type { BrowserCheck } from './ports/browser-person.ts';
export type { IdTokenSource } from './ports/id-token-source.ts';
export type { ServerSignInFact, ServerSignInObserver } from './ports/sign-in-fact.ts';
export { createFileReferences } from './secrets/file-references.ts';
export { createFileSecretSource } from './secrets/file-secret-source.ts';
export { START_PATH } from './sign-in/start-route.ts';
