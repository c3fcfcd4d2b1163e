export { authSchema, type AuthSettings } from './auth-settings.ts';
export type { CallerSignInFact, TokenVerification } from './auth-backend.ts';
export { createCallerAuth } from './create-caller-auth.ts';
// Programs without the broker load neither it nor its libraries.
export { createResourceServerAuth, type CallerAuth } from './create-resource-server-auth.ts';
