import type { CallContext, RpcError } from '@gateway/call-contract';
import type { CatalogSnapshot } from '@gateway/catalog';
import type { PresetSet } from '@gateway/preset-resolver';
import type { RequestScope } from '../contract/request-scope.ts';
import type { FindTool } from '../scope/last-known-tools.ts';
import type { NativePorts } from './native-contract.ts';
import type { NativeIndex } from './native-index.ts';

/** Everything that one native call works with. */
export interface NativeContext {
  readonly ports: NativePorts;
  readonly snapshot: CatalogSnapshot;
  readonly index: NativeIndex;
  readonly presets: PresetSet;
  /** `undefined` without the header: unscoped. @spec §3 */
  readonly scope: RequestScope | undefined;
  readonly call: CallContext;
  /** Finds a tool of the last known lists by its native or exposed name. */
  readonly find: FindTool;
}

/** The entry that a caller requests, or the error of the request. */
export type Found<T> =
  { readonly ok: true; readonly item: T } | { readonly ok: false; readonly error: RpcError };

/** Returns the failure with an error. */
export const refuse = (error: RpcError): { readonly ok: false; readonly error: RpcError } => ({
  ok: false,
  error,
});
