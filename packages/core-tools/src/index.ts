export { createCoreTools } from './create-core-tools.ts';
export type { CoreCallOutcome, CoreTools } from './create-core-tools.ts';
export type { CoreCallOptions, CoreToolPorts, ServerView, ServiceOutcome } from './ports.ts';
