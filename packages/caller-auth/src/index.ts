export { AUTH_MODES, authSchema, type AuthMode, type AuthSettings } from './auth-settings.ts';
export type { BrokerDependencies } from './broker-backend.ts';
export type { CallerAuth, CallerAuthDependencies } from './caller-auth.ts';
export { createCallerAuth } from './create-caller-auth.ts';
export { createResourceServerAuth } from './create-resource-server-auth.ts';
export type { RouteHandler } from './metadata/resource-metadata.ts';
export type { Authenticated } from './tokens/authenticated.ts';
export { ADMIN_SCOPE, isAdministrator, READ_SCOPE } from './tokens/scopes.ts';
export type { TokenRefusalCode } from './tokens/token-refusal.ts';
