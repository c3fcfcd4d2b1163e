import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  findOperation,
  parseArguments,
  readRequest,
  REFUSAL_STATUS,
  writeRequest,
  type ClientOutcome,
  type OperationInput,
  type OperationName,
  type AgentRefusalCode,
} from '../../src/index.ts';

interface Case {
  readonly operation: OperationName;
  readonly situation: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly through?: readonly string[];
  readonly refusal?: {
    readonly status: number;
    readonly code: AgentRefusalCode;
    readonly message: string;
  };
}

// Read, not imported: bundlers write JSON as JavaScript, where the name `__proto__` is none.
const file = new URL('../../vectors/refusals.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: readonly Case[] };

/** Of names and types alone. */
const isOfArguments = ({ refusal }: Case): boolean =>
  /^invalid request: (?:unknown field|[\w.[\]]+ must be (?:a string|a boolean|an array|an object)$|skills\.gitRefs\[0\]\.url is required)/.test(
    refusal?.message ?? '',
  );

const messageOf = (answer: ClientOutcome<unknown>): string | undefined =>
  answer.ok ? undefined : answer.error.message;

const overMcp = (it: Case) => messageOf(parseArguments(it.operation, it.arguments));

/** As a server reads what a client has sent. */
const overRest = ({ operation, arguments: given }: Case): string | undefined => {
  const input = given as unknown as OperationInput<typeof operation>;
  const written = writeRequest(operation, input, { namespace: 'default' });
  if (!written.ok) return written.error.message;
  const { method, target, body = '' } = written.value;
  const url = new URL(target, 'http://127.0.0.1');
  const found = findOperation(method, url.pathname);
  if (found.kind !== 'operation') return found.kind;
  const request = { path: found.path, query: url.search, body: new TextEncoder().encode(body) };
  return messageOf(readRequest(found.name, request));
};

describe('vectors/refusals.json', () => {
  it('has codes with their statuses', () => {
    const refusals = cases.flatMap(({ refusal }) => refusal ?? []);
    expect(refusals.length).toBeGreaterThan(80);
    expect(refusals.filter(({ code, status }) => REFUSAL_STATUS[code] !== status)).toEqual([]);
  });
  it('receives the refusals of names and types from an MCP call, and no others', () =>
    expect(cases.map((it) => [it.situation, overMcp(it)])).toEqual(
      cases.map((it) => [it.situation, isOfArguments(it) ? it.refusal?.message : undefined]),
    ));
  it('receives the same over REST, where the arguments can be written', () => {
    const sendable = cases.filter(({ through = ['rest'] }) => through.includes('rest'));
    expect(sendable.map((it) => [it.situation, overRest(it)])).toEqual(
      sendable.map((it) => [it.situation, isOfArguments(it) ? it.refusal?.message : undefined]),
    );
  });
});
