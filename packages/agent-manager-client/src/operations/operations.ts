import type { z } from 'zod';
import { READ_OPERATIONS } from './read-operations.ts';
import { WRITE_OPERATIONS } from './write-operations.ts';

/** All operations, by the name of their tool. @spec §4.4 */
export const OPERATIONS = { ...READ_OPERATIONS, ...WRITE_OPERATIONS } as const;

/** Name of an operation: that of its tool. */
export type OperationName = keyof typeof OPERATIONS;

/** The arguments of an operation, checked. */
export type OperationInput<Name extends OperationName> = z.output<
  (typeof OPERATIONS)[Name]['input']
>;

/** The answer of an operation. */
export type OperationOutput<Name extends OperationName> = z.output<
  (typeof OPERATIONS)[Name]['output']
>;
