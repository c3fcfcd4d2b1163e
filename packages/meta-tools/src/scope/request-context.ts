import type { CallContext } from '@gateway/call-contract';
import type { CatalogSnapshot } from '@gateway/catalog';
import type { PresetSet } from '@gateway/preset-resolver';
import type { AnswerMemo } from './answer-memo.ts';
import type { MetaToolPorts } from '../contract/ports.ts';
import type { RequestScope } from '../contract/request-scope.ts';

/** Everything that one request works with: one snapshot and one set of presets from its first step to its last. */
export interface RequestContext {
  readonly ports: MetaToolPorts;
  readonly apiGroup: string;
  readonly snapshot: CatalogSnapshot;
  readonly presets: PresetSet;
  /** `undefined` without the header: unscoped. @spec §3 */
  readonly scope: RequestScope | undefined;
  readonly call: CallContext;
  /** The cached answers about unchanged catalogs. */
  readonly memo: AnswerMemo;
}
