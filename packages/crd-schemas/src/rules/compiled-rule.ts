import { Environment } from '@marcbachmann/cel-js';
import type { ValidationIssue } from '../resource/validation-issue.ts';
import type { CelRule } from './cel-rule.ts';
import { readSetOf } from './record-reads.ts';
import { celValueOf } from './cel-value.ts';

/** A rule that is ready for evaluation. */
export interface CompiledRule {
  readonly message: string;
  /** From the value that the rule speaks of to the field at fault. */
  readonly fieldPath: ValidationIssue['path'];
  /** Returns whether a mapping, which may be invalid in any other respect, satisfies the rule. Never throws. */
  readonly holds: (self: unknown) => boolean;
}

const ENVIRONMENT = new Environment({
  limits: { maxAstNodes: 200, maxDepth: 32, maxListElements: 16, maxMapEntries: 16 },
}).registerVariable('self', 'dyn');

type Holds = CompiledRule['holds'];

const compiled = (expression: string): Holds => {
  const evaluate = ENVIRONMENT.parse(expression);
  const reading = readSetOf(evaluate.ast);
  const { error } = evaluate.check();
  if (error !== undefined) throw error;
  return (self) => {
    try {
      return evaluate({ self: celValueOf(self, reading) }) === true;
    } catch {
      // As in the API server, a rule whose evaluation fails is broken.
      return false;
    }
  };
};

/** By expression: one that applies at several places is compiled once. */
const known = new Map<string, Holds>();

/**
 * Compiles a rule.
 *
 * @throws Error when its expression is none of CEL
 */
export const compiledRule = ({ rule, message, fieldPath = '' }: CelRule): CompiledRule => {
  const holds = known.get(rule) ?? compiled(rule);
  known.set(rule, holds);
  return { message, fieldPath: fieldPath.split('.').slice(1), holds };
};
