export { authSchema, type AuthSettings } from './auth-settings.ts';
export {
  ADMIN_SCOPE,
  isAdministrator,
  type CallerSignInFact,
  type TokenVerification,
} from './auth-backend.ts';
export {
  createCallerAuth,
  createResourceServerAuth,
  type CallerAuth,
} from './create-caller-auth.ts';
