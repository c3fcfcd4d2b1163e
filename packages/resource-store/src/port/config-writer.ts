import type { Mapping } from '@gateway/files';
import type { ConfigDocument } from './state.ts';
import type { InvalidWrite, WriteResult } from './write-result.ts';

/** The result of writing the configuration. */
export type ConfigWriteResult = Exclude<WriteResult, { kind: 'exists' | 'missing' }> | InvalidWrite;

/** Writes `config.yaml` atomically, one write after the other. Never rejects. */
export interface ConfigWriter {
  /**
   * Merges a patch into the document (RFC 7396), or creates it. Preserves everything else, including comments.
   *
   * @param check returns the problems of the resulting document; it is written when there are none
   */
  readonly patch: (
    patch: Mapping,
    check: (document: ConfigDocument) => readonly string[],
  ) => Promise<ConfigWriteResult>;
}
