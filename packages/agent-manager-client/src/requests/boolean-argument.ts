import * as z from 'zod';
import { OPERATIONS, type OperationName } from '../operations/operations.ts';

/** Returns whether an argument of an operation is a boolean. */
export const isBooleanArgument = (name: OperationName, argument: string): boolean => {
  const shape: z.ZodRawShape = OPERATIONS[name].input.shape;
  const schema = Object.hasOwn(shape, argument) ? shape[argument] : undefined;
  return (schema instanceof z.ZodOptional ? schema.unwrap() : schema) instanceof z.ZodBoolean;
};
