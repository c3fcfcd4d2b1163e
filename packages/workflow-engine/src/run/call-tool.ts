import {
  type CallOutcome,
  type CallResult,
  type JsonObject,
  WORKFLOW_TOOL_PREFIX,
} from '@gateway/call-contract';
import type { JsonMap, JsonValue } from '@gateway/crd-schemas';
import { isJsonList, isJsonMap } from '@gateway/go-template';
import { formatJsonProblem, PARSE_LIMITS, parseJson, RawObject } from '@gateway/mcp-wire';
import { isDeeperThan, MAX_JSON_LEVELS } from '../model/json-size.ts';
import { Interruption } from './cancellation.ts';
import type { Run } from './run-state.ts';

/** The answer of a tool for the steps of a workflow. */
export type StepAnswer =
  | { readonly ok: true; readonly value: JsonValue }
  /** `text` is the tool's own. */
  | { readonly ok: false; readonly text: string; readonly value: JsonValue };

const findOwnMember = (result: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(result, key) ? (result[key] as JsonValue | undefined) : undefined;

const listContent = (result: JsonObject): readonly JsonValue[] => {
  const content = findOwnMember(result, 'content');
  return isJsonList(content) ? content : [];
};

const findItemText = (item: JsonValue | undefined): string | undefined => {
  if (!isJsonMap(item) || item['type'] !== 'text') return undefined;
  const text = item['text'];
  return typeof text === 'string' ? text : undefined;
};

/** Texts with numbers that a double may not hold. */
const MAY_LOSE_DIGITS = /\d{16}|[eE]\+?\d{3}/;

/** Keeps a whole number that a double would round, or a number that it cannot hold, as the text that it was. */
const withoutLoss = (
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown => {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  const { source } = context;
  const isLost = /^-?\d+$/.test(source) ? String(value) !== source : !Number.isFinite(value);
  return isLost ? source : value;
};

/** A text that is nested too deeply is parsed, so that it is refused and not taken for a text. */
const LIMITS = { ...PARSE_LIMITS, maxLevels: PARSE_LIMITS.maxValues };

/** Returns the value of a JSON text; `undefined` for other texts, and for one that is too much for the process. */
const parseJsonText = (text: string): JsonValue | undefined => {
  const outcome = parseJson(text, LIMITS);
  if (!outcome.ok) return undefined;
  const value = outcome.value as JsonValue;
  // The parser calls a reviver recursively.
  if (!MAY_LOSE_DIGITS.test(text) || isDeeperThan(value, MAX_JSON_LEVELS)) return value;
  return JSON.parse(text, withoutLoss) as JsonValue;
};

/**
 * Returns the value of a result: the JSON in the text of the first content item; else `structuredContent`; else that text, or
 * all content when the first item is not text, or null when there is none. Of scalars, only `true`, `false`, `null` and numbers that print
 * as the same text count as JSON; `1.10` and `"a"` stay texts.
 */
const toValue = (result: JsonObject): JsonValue => {
  const content = listContent(result);
  const text = findItemText(content[0]);
  const json = text === undefined ? undefined : parseJsonText(text);
  if (typeof json === 'object' && json !== null) return json;
  if (text !== undefined && json !== undefined)
    return typeof json !== 'string' && JSON.stringify(json) === text ? json : text;
  const structured = findOwnMember(result, 'structuredContent');
  if (structured !== undefined && structured !== null) return structured;
  return text ?? (content.length === 0 ? null : content);
};

/** Returns the error of a nested workflow. A failed nested workflow returns a document: its `error` is the reason, not the document around it. */
const findInnerError = (value: JsonValue): string | undefined => {
  if (!isJsonMap(value) || typeof value['execution_id'] !== 'string') return undefined;
  const error = value['error'];
  return typeof error === 'string' ? error : undefined;
};

const formatFailure = (tool: string, result: JsonObject, value: JsonValue): string => {
  const nested = tool.startsWith(WORKFLOW_TOOL_PREFIX) ? findInnerError(value) : undefined;
  if (nested !== undefined) return nested;
  const texts = listContent(result).flatMap((item) => findItemText(item) ?? []);
  const text = texts.join('\n');
  if (text.trim() !== '') return text;
  const isDescriptive = value !== null && typeof value !== 'string';
  return isDescriptive ? JSON.stringify(value) : `${tool} failed without a reason`;
};

/** Parses a result of `tools/call` of any shape. @spec §2.7 */
const toAnswer = (tool: string, result: unknown): StepAnswer => {
  if (!isJsonMap(result)) {
    return { ok: false, text: `${tool} returned no result`, value: null };
  }
  const value = toValue(result);
  if (isDeeperThan(value, MAX_JSON_LEVELS)) {
    const text = `the result of ${tool} is nested more than ${MAX_JSON_LEVELS} levels deep`;
    return { ok: false, text, value: null };
  }
  if (findOwnMember(result, 'isError') !== true) return { ok: true, value };
  return { ok: false, text: formatFailure(tool, result, value), value };
};

/**
 * Steps that a call of a tool counts as, in the budget of its run and in the turn of the event loop. Nested workflows multiply calls, and
 * calls that are answered at once would not leave the event loop.
 */
const STEPS_PER_CALL = 500;

const createFailedReport = (text: string): StepAnswer => ({ ok: false, text, value: null });

const formatCallError = (error: unknown): string => {
  const text = error instanceof Error ? error.message : '';
  return text === '' ? 'the call failed' : text;
};

const answerOfResult = (tool: string, result: CallResult | undefined): StepAnswer => {
  if (!(result instanceof RawObject)) return toAnswer(tool, result);
  const parsed = result.parse();
  if (parsed.ok) return toAnswer(tool, parsed.value);
  return createFailedReport(
    `the result of ${tool} is not read: ${formatJsonProblem(parsed.problem)}`,
  );
};

const answerOfOutcome = (tool: string, outcome: Partial<CallOutcome> | undefined): StepAnswer => {
  if (outcome?.ok === true) return answerOfResult(tool, outcome.result);
  const text: unknown = outcome?.ok === false ? outcome.text : undefined;
  return createFailedReport(typeof text === 'string' ? text : `${tool} did not answer`);
};

/**
 * Calls a tool and reads its answer, however it behaves. A call that does not end before the run is cancelled is left alone; its answer is
 * then why the run must end.
 */
export const callTool = async (run: Run, tool: string, args: JsonMap): Promise<StepAnswer> => {
  const { ports, limits, cancellation, chain, executionId, caller, budget, turns, turn } = run;
  // First: calls that the budget refuses must not wait, since waiting calls occupy memory.
  if (!budget.takeSteps(STEPS_PER_CALL)) return createFailedReport(budget.problem ?? '');
  const take = (): void => turns.take(STEPS_PER_CALL);
  if (turns.isSpent) await turns.later(turn, take);
  else take();
  if (cancellation.text !== undefined) return createFailedReport(cancellation.text);
  try {
    const outcome = await cancellation.until((signal) =>
      ports.callTool(
        { tool, arguments: args },
        { signal, timeoutMs: limits.toolTimeoutMs, chain, executionId, caller, budget },
      ),
    );
    return outcome instanceof Interruption
      ? createFailedReport(outcome.text)
      : answerOfOutcome(tool, outcome);
  } catch (error) {
    return createFailedReport(formatCallError(error));
  }
};
