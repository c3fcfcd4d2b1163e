export { createPortal, type Portal, type PortalParts } from './create-portal.ts';
export type { PortalSettings, SignInSettings } from './settings/portal-settings.ts';
export { readSettings, type PortalOptions } from './settings/read-settings.ts';
