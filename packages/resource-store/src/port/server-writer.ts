import type { Mapping } from '@gateway/files';
import type { ResourceKey } from './resource-key.ts';
import type { InvalidWrite, WriteResult } from './write-result.ts';

/** The result of writing a server. */
export type ServerWriteResult = WriteResult | InvalidWrite;

/** The change would decide where values of Secrets or ConfigMaps are sent; nothing was written. */
export interface RestrictedWrite {
  readonly kind: 'restricted';
  /** The changed field of `spec`. */
  readonly field: string;
}

/** The limits of a change of a server. */
export interface PatchLimits {
  /** Refuse each change of where values of Secrets and ConfigMaps are sent, also in a definition that is not valid. */
  readonly keepsDestination: boolean;
}

/**
 * Writes servers atomically. Writes of one key run one after the other. A resource that would break a rule is not written. Never rejects.
 *
 * @spec §1.5
 */
export interface ServerWriter {
  /** Creates a server from its whole document; never replaces one. */
  readonly create: (document: Mapping) => Promise<ServerWriteResult>;
  /**
   * Merges a patch into `spec` (RFC 7396). Preserves everything else, including comments where the backend has them. The limits apply to the version that
   * the patch replaces.
   */
  readonly patch: (
    key: ResourceKey,
    specPatch: Mapping,
    limits?: PatchLimits,
  ) => Promise<ServerWriteResult | RestrictedWrite>;
  /** Records on the server whether it is stopped on request. Absent for files, which belong to their users. */
  readonly requestStop?: (key: ResourceKey, isRequested: boolean) => Promise<ServerWriteResult>;
  /** Deletes a server, valid or not. */
  readonly remove: (key: ResourceKey) => Promise<WriteResult>;
}
