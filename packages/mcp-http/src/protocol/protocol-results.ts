import type { JsonObject } from '@gateway/call-contract';
import { SERVER_INFO_META_KEY, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { CallMethod, ListMethod, McpService, ServiceCapabilities } from './mcp-service.ts';
import type { ResultStamp } from './result-text.ts';

/** Generation of the protocol that a request speaks: sessions and `initialize`, or one envelope per request. */
export type Era = 'legacy' | 'modern';

/** Revisions with one envelope per request, newest first. */
export const MODERN_REVISIONS: readonly string[] = ['2026-07-28'];

/** Revisions that are agreed by `initialize`, newest first. */
export const LEGACY_REVISIONS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS.filter(
  (revision) => !MODERN_REVISIONS.includes(revision),
);

/** Revision of a 2025-era request that names none. MCP 2025-06-18, Streamable HTTP, protocol version header */
export const ASSUMED_REVISION = '2025-03-26';

/** Revisions that know JSON-RPC batches. */
export const BATCH_REVISIONS: readonly string[] = ['2024-10-07', '2024-11-05', '2025-03-26'];

/** The capability that a method of the service belongs to. */
export const CAPABILITY_OF: Readonly<Record<ListMethod | CallMethod, keyof ServiceCapabilities>> = {
  'tools/list': 'tools',
  'tools/call': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
  'resources/read': 'resources',
  'prompts/list': 'prompts',
  'prompts/get': 'prompts',
  'completion/complete': 'completions',
};

const instructionsOf = ({ instructions }: McpService): { readonly instructions?: string } =>
  instructions === undefined ? {} : { instructions };

/** The revision that `initialize` settles on: the one asked for, else the newest. */
export const agreedRevision = (requested: string): string =>
  LEGACY_REVISIONS.includes(requested) ? requested : (LEGACY_REVISIONS[0] ?? ASSUMED_REVISION);

/** Returns the result of `initialize` for an agreed revision: the server, its capabilities and its instructions. */
export const initializeResult = (service: McpService, revision: string): JsonObject => ({
  protocolVersion: revision,
  capabilities: service.capabilities,
  serverInfo: service.info,
  ...instructionsOf(service),
});

/** Returns the result of `server/discover` without the fields of every 2026-07-28 result. */
export const discoverResult = (service: McpService): JsonObject => ({
  supportedVersions: MODERN_REVISIONS,
  capabilities: service.capabilities,
  ...instructionsOf(service),
});

/** Returns the members that a service adds to every 2026-07-28 result. */
export const resultStamp = ({ info }: McpService): ResultStamp => ({
  metaKey: SERVER_INFO_META_KEY,
  metaValue: info,
});

/**
 * Returns the same for a result that states how long it may be cached. Results depend on the headers of the request, so only the
 * caller itself may cache them.
 */
export const cacheableResultStamp = (service: McpService, ttlMs: number): ResultStamp => ({
  ...resultStamp(service),
  members: { ttlMs, cacheScope: 'private' },
});
