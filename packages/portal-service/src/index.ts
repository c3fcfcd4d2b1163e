export { validateLocalPortal, serveLocalPortal } from './serving/serve-local-portal.ts';
export { servePortal, type PortalServing } from './serving/serve-portal.ts';
export type { PortalOptions } from './settings.ts';
