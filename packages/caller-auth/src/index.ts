export { AUTH_MODES, authSchema, type AuthMode, type AuthSettings } from './auth-settings.ts';
export type { BrokerDependencies } from './broker-backend.ts';
export {
  createCallerAuth,
  type CallerAuth,
  type CallerAuthDependencies,
} from './create-caller-auth.ts';
export type { RouteHandler } from './metadata/resource-metadata.ts';
export type { Authenticated } from './tokens/authenticated.ts';
export { ADMIN_SCOPE, isAdministrator, READ_SCOPE } from './tokens/scopes.ts';
export type { TokenRefusalCode } from './tokens/token-refusal.ts';
