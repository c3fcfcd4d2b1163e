export {
  type PortalServing,
  serveLocalPortal,
  servePortal,
  validateLocalPortal,
} from './serving/serve-portal.ts';
export type { PortalOptions } from './settings.ts';
