import { OPERATIONS, type OperationName } from '../operations/operations.ts';

/** Returns whether requests of an operation have a body. */
export const hasBody = (name: OperationName): boolean =>
  OPERATIONS[name].method === 'POST' || OPERATIONS[name].method === 'PATCH';
