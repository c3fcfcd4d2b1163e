import type { ServerCapabilities } from '@modelcontextprotocol/client';

/** The features of a connected server besides its lists. */
export interface ServerFeatures {
  /** The server completes arguments of prompts and resource templates. */
  readonly completions: boolean;
  /** The server announces changes of single resources. */
  readonly resourceSubscriptions: boolean;
  /** The server sends log messages. */
  readonly logging: boolean;
}

/** Returns the features that a server declares. */
export const serverFeatures = (capabilities: ServerCapabilities): ServerFeatures => ({
  completions: capabilities.completions !== undefined,
  resourceSubscriptions: capabilities.resources?.subscribe === true,
  logging: capabilities.logging !== undefined,
});
