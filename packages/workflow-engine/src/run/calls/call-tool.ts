import type { CallOutcome, CallResult } from '@gateway/call-contract';
import { jsonProblemText, RawObject } from '@gateway/mcp-wire';
import type { JsonMap } from '@gateway/crd-schemas';
import { answerOf, type Answer } from './answer.ts';
import { Interruption } from '../state/cancellation.ts';
import type { Run } from '../state/run-state.ts';

/**
 * Steps that a call of a tool counts as, in the budget of its run and in the turn of the event loop. Nested workflows multiply calls, and
 * calls that are answered at once would not leave the event loop.
 */
const STEPS_PER_CALL = 500;

const failed = (text: string): Answer => ({ ok: false, text, value: null });

const textOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : '';
  return text === '' ? 'the call failed' : text;
};

const answerOfResult = (tool: string, result: CallResult | undefined): Answer => {
  if (!(result instanceof RawObject)) return answerOf(tool, result);
  const parsed = result.parse();
  if (parsed.ok) return answerOf(tool, parsed.value);
  return failed(`the result of ${tool} is not read: ${jsonProblemText(parsed.problem)}`);
};

const answerOfOutcome = (tool: string, outcome: Partial<CallOutcome> | undefined): Answer => {
  if (outcome?.ok === true) return answerOfResult(tool, outcome.result);
  const text: unknown = outcome?.ok === false ? outcome.text : undefined;
  return failed(typeof text === 'string' ? text : `${tool} did not answer`);
};

/**
 * Calls a tool and reads its answer, however it behaves. A call that does not end before the run is cancelled is left alone; its answer is
 * then why the run must end.
 */
export const callTool = async (run: Run, tool: string, args: JsonMap): Promise<Answer> => {
  const { ports, limits, cancellation, chain, executionId, caller, budget, turns, turn } = run;
  // First: calls that the budget refuses must not wait, since waiting calls occupy memory.
  if (!budget.takeSteps(STEPS_PER_CALL)) return failed(budget.problem ?? '');
  const take = (): void => turns.take(STEPS_PER_CALL);
  if (turns.isSpent) await turns.later(turn, take);
  else take();
  if (cancellation.text !== undefined) return failed(cancellation.text);
  try {
    const outcome = await cancellation.until((signal) =>
      ports.callTool(
        { tool, arguments: args },
        { signal, timeoutMs: limits.toolTimeoutMs, chain, executionId, caller, budget },
      ),
    );
    return outcome instanceof Interruption ? failed(outcome.text) : answerOfOutcome(tool, outcome);
  } catch (error) {
    return failed(textOf(error));
  }
};
