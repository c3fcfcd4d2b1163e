import type { ServerCapabilities } from '@modelcontextprotocol/client';

/** What a connected server has beside its lists. */
export interface ServerFeatures {
  /** It completes arguments of prompts and resource templates. */
  readonly completions: boolean;
  /** It tells of changes of single resources. */
  readonly resourceSubscriptions: boolean;
  /** It sends log messages. */
  readonly logging: boolean;
}

/** Reads the capabilities that a server declares. */
export const serverFeatures = (capabilities: ServerCapabilities): ServerFeatures => ({
  completions: capabilities.completions !== undefined,
  resourceSubscriptions: capabilities.resources?.subscribe === true,
  logging: capabilities.logging !== undefined,
});
