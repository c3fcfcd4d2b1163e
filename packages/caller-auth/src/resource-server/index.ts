export { createResourceServer } from './create-resource-server.ts';
export { ForwardedTokens } from './forwarded-tokens.ts';
export { isFromFuture } from './jwt-verifier.ts';
export { subjectOf } from './principal-of-claims.ts';
