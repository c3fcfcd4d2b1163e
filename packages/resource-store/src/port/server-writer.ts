import type { Mapping } from '@gateway/durable-files';
import type { ResourceKey } from './resource-key.ts';
import type { InvalidWrite, WriteResult } from './write-result.ts';

/** The result of writing a server. */
export type ServerWriteResult = WriteResult | InvalidWrite;

/**
 * Writes servers atomically. Writes of one key run one after the other. A resource that would break a rule is not written. Never rejects.
 *
 * @spec §1.5
 */
export interface ServerWriter {
  /** Creates a server from its whole document; never replaces one. */
  readonly create: (document: Mapping) => Promise<ServerWriteResult>;
  /** Merges a patch into `spec` (RFC 7396). Preserves everything else, including comments where the backend has them. */
  readonly patch: (key: ResourceKey, specPatch: Mapping) => Promise<ServerWriteResult>;
  /** Deletes a server, valid or not. */
  readonly remove: (key: ResourceKey) => Promise<WriteResult>;
}
