export { NEVER_ABORTED, oneWay } from './callback.ts';
export { createChannel } from './channel.ts';
export type { Channel } from './channel.ts';
export type { Members } from './contract.ts';
export { connectLink, openLink, serveLink } from './link.ts';
export { LinkError } from './link-error.ts';
export type { LinkPort } from './link-port.ts';
export { portToChild, portToParent } from './process-port.ts';
