import { isJsonObject, type JsonObject, type Principal } from '@gateway/call-contract';
import { createHash } from 'node:crypto';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';

/** Parameters of a call that differ in its retries. MCP 2026-07-28, multi round-trip requests */
const OF_ONE_ROUND: ReadonlySet<string> = new Set(['_meta', 'inputResponses', 'requestState']);

/** Levels of arguments that are hashed: more than any tool needs, and too few to exhaust the stack. */
const MAX_LEVELS = 500;

/**
 * Returns a hash of a call: its principal, its method and all parameters that a retry repeats, whatever the order of their keys.
 * Returns `undefined` for parameters of more than 500 levels.
 */
export const requestFingerprint = (
  { method, params = {} }: Pick<JSONRPCRequest, 'method' | 'params'>,
  { key }: Pick<Principal, 'key'>,
): string | undefined => {
  const repeated = Object.fromEntries(
    Object.entries(params).filter(([key]) => !OF_ONE_ROUND.has(key)),
  );
  if (isDeeper(repeated, MAX_LEVELS)) return undefined;
  const text = JSON.stringify([key, method, repeated], withSortedKeys);
  return createHash('sha256').update(text).digest('base64url');
};

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1)));

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;

const withSortedKeys = (_key: string, value: unknown): unknown =>
  isJsonObject(value) ? sorted(value) : value;

const sorted = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).toSorted(byKey));
