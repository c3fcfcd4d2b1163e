export { authSchema, type AuthSettings } from './auth-settings.ts';
export type { CallerAuth } from './create-resource-server-auth.ts';
export { createCallerAuth } from './create-caller-auth.ts';
export { createResourceServerAuth } from './create-resource-server-auth.ts';
export type { CallerSignInFact, TokenVerification } from './auth-backend.ts';
export { ADMIN_SCOPE, isAdministrator } from './tokens/token-verifier.ts';
