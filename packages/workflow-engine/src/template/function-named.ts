import { FUNCTION_TABLE } from '../functions/function-table.ts';
import { FunctionFailure, type TemplateFunction } from './template-value.ts';

const calls: ReadonlyMap<string, TemplateFunction> = new Map(
  Object.entries(FUNCTION_TABLE).map(([name, { call }]) => [name, call]),
);

/** The function of a call. The parser let known names through only. */
export const functionNamed = (name: string): TemplateFunction =>
  calls.get(name) ?? (() => new FunctionFailure('no such function'));
