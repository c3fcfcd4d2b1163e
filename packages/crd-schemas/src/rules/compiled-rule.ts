import { Environment } from '@marcbachmann/cel-js';
import type { ValidationIssue } from '../validation-issue.ts';
import type { CelRule } from './cel-rule.ts';
import { readingOf } from './reading.ts';
import { seenValue } from './seen-value.ts';

/** A rule that is ready to be asked. */
export interface CompiledRule {
  readonly message: string;
  /** From the value that the rule speaks of to the field at fault. */
  readonly fieldPath: ValidationIssue['path'];
  /** Whether the rule holds of a mapping, which may be wrong in any other way. Never throws. */
  readonly holds: (self: unknown) => boolean;
}

const ENVIRONMENT = new Environment({
  limits: { maxAstNodes: 200, maxDepth: 32, maxListElements: 16, maxMapEntries: 16 },
}).registerVariable('self', 'dyn');

/**
 * Compiles a rule.
 *
 * @throws Error when its expression is none of CEL
 */
export const compiledRule = ({ rule, message, fieldPath = '' }: CelRule): CompiledRule => {
  const evaluate = ENVIRONMENT.parse(rule);
  const reading = readingOf(evaluate.ast);
  const checked = evaluate.check();
  if (checked.error !== undefined) throw checked.error;
  return {
    message,
    fieldPath: fieldPath.split('.').slice(1),
    holds: (self) => {
      try {
        return evaluate({ self: seenValue(self, reading) }) === true;
      } catch {
        // As in the API server, a rule that cannot be decided is broken.
        return false;
      }
    },
  };
};
