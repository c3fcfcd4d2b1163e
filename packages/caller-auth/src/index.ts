export { authSchema, type AuthSettings } from './auth-settings.ts';
export type { CallerAuth } from './caller-auth.ts';
export { createCallerAuth } from './create-caller-auth.ts';
export { createResourceServerAuth } from './create-resource-server-auth.ts';
export type { CallerSignInFact, TokenVerification } from './sign-in-fact.ts';
export { ADMIN_SCOPE, isAdministrator } from './tokens/scopes.ts';
