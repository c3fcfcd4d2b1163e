import {
  findText,
  isText,
  type JsonObject,
  toObject,
  toObjects,
  toText,
} from '@gateway/call-contract';
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import { pickField, toNumber } from '../mcp/json.ts';
import { useToolAnswer } from './core-tools.ts';

/** The calls of a period. */
export interface UsageFacts {
  readonly calls: number;
  readonly errors: number;
  /** 95 % of the calls took at most this long; absent without a call. */
  readonly p95Ms?: number;
  /** The bytes of all results. */
  readonly resultBytes: number;
  /** RFC 3339; absent without a call. */
  readonly lastUsed?: string;
}

/** The calls of one tool, toolset or user. */
export interface UsageRow extends UsageFacts {
  readonly name: string;
}

/** The calls of a period, in all and by tool, toolset or user. */
export interface Usage {
  readonly total: UsageFacts;
  readonly rows: readonly UsageRow[];
  /** The number of rows that exist. */
  readonly rowCount: number;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

const parseFacts = (facts: JsonObject): UsageFacts => ({
  calls: toNumber(facts['calls']),
  errors: toNumber(facts['errors']),
  ...pickField(facts, 'p95Ms', isNumber),
  resultBytes: toNumber(facts['resultBytes']),
  ...pickField(facts, 'lastUsed', isText),
});

/** Returns what a row is about: a tool, a toolset, the steps of a workflow, or a user. */
const parseName = ({ tool, toolset, workflow, user, email }: JsonObject): string =>
  findText(tool) ??
  findText(toolset) ??
  (workflow === undefined ? undefined : `workflow ${toText(workflow)}`) ??
  findText(email) ??
  findText(user) ??
  'no toolset';

/** Reads an answer of `core_usage_get`. */
export const parseUsage = (answer: JsonObject): Usage => ({
  total: parseFacts(toObject(answer['total'])),
  rows: toObjects(answer['rows']).map((row) => ({ name: parseName(row), ...parseFacts(row) })),
  rowCount: toNumber(answer['rowCount']),
});

/** What a reader asks about the calls. */
export interface UsageQuestion {
  readonly hours: number;
  readonly by?: 'tool' | 'toolset' | 'user';
  readonly tool?: string;
  readonly toolset?: string;
}

const POLL_MS = 30_000;
const LIMIT = 1_000;

/** Reads the calls of a period. The gateway does not count those by which the portal reads its pages. */
export const useUsage = (question: UsageQuestion): UseQueryResult<Usage> =>
  useToolAnswer(
    {
      key: ['usage', question],
      tool: 'core_usage_get',
      args: { limit: LIMIT, ...question },
      parse: parseUsage,
    },
    { placeholderData: keepPreviousData, refetchInterval: POLL_MS },
  );
