export { createPortal } from './create-portal.ts';
export { readSettings, type PortalOptions } from './settings/read-settings.ts';
