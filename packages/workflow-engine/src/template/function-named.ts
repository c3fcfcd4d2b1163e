import { FunctionFailure, type TemplateFunction } from './template-value.ts';
import { GO_FUNCTIONS } from './go-functions/go-functions.ts';

const calls: ReadonlyMap<string, TemplateFunction> = new Map(
  Object.entries(GO_FUNCTIONS).map(([name, { call }]) => [name, call]),
);

/** The function of a call. The parser let known names through only. */
export const functionNamed = (name: string): TemplateFunction =>
  calls.get(name) ?? (() => new FunctionFailure('no such function'));
