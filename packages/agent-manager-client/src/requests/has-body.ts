import { OPERATIONS, type OperationName } from '../operations/operations.ts';

/** Whether arguments of an operation stand in the body of its requests. */
export const hasBody = (name: OperationName): boolean =>
  OPERATIONS[name].method === 'POST' || OPERATIONS[name].method === 'PATCH';
