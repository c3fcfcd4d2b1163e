export { createResourceServer } from './create-resource-server.ts';
export { ForwardedTokens } from './forwarded-tokens.ts';
