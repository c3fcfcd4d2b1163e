import type { OperationInput, OperationName } from '../operations/operations.ts';

/** Operations whose callers may still pass the former argument `toolNames`. @spec §4.4 */
type WithToolNames = 'create_agent' | 'update_agent' | 'validate_agent';

/**
 * Arguments whose names and types are checked and nothing else: what is required may be missing. An argument that was `null` is
 * absent.
 */
export type OperationDraft<Name extends OperationName> = Partial<OperationInput<Name>> &
  (Name extends WithToolNames ? { readonly toolNames?: unknown } : unknown);
