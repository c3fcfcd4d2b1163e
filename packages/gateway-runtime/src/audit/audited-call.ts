import type { CallContext, CallRecord, CallResult, JsonObject } from '@gateway/call-contract';
import { jsonText, memberOf, RawObject } from '@gateway/mcp-wire';
import type { AuditOutcome, AuditRecord } from './audit-record.ts';

/** The part of an answer that a record describes. */
export type AuditedAnswer =
  { readonly ok: true; readonly result?: CallResult } | { readonly ok: false };

/** The facts of a call that its context does not have. */
export type CallFacts = Pick<
  AuditRecord,
  'method' | 'metaTool' | 'name' | 'toolset' | 'parent' | 'run' | 'workflow'
>;

/** The members of a context that a record has. */
export type AuditedContext = Pick<CallContext, 'sessionId'> &
  Partial<
    Pick<CallContext, 'principal' | 'callerKey' | 'requestState' | 'inputResponses' | 'record'>
  >;

const SESSION_CHARACTERS = 8;

/** A call that is followed from its start to its end. */
export interface FollowedCall {
  readonly record: CallRecord;
  readonly facts: CallFacts;
  readonly context: AuditedContext;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The value of `performance.now()` at the start. */
  readonly start: number;
}

/** Returns the line of the audit log for a call that has ended. */
export function auditRecord(
  { record, facts, context, time, start }: FollowedCall,
  outcome: AuditOutcome,
  resultBytes?: number,
): AuditRecord {
  const { refusal: reason } = record;
  const isRefused = reason !== undefined;
  // Every member is written out: a spread takes several times as long.
  return {
    time: timeText(time),
    id: record.id,
    parent: facts.parent,
    run: facts.run,
    workflow: facts.workflow,
    subject: context.principal?.subject,
    issuer: context.principal?.issuer,
    actor: context.principal?.actor,
    peer: context.callerKey,
    session: context.sessionId?.slice(0, SESSION_CHARACTERS),
    method: facts.method,
    metaTool: facts.metaTool,
    name: facts.name,
    server: record.server,
    serverName: record.serverName,
    toolset: facts.toolset,
    resumed: isResumed(context),
    decision: isRefused ? 'refused' : 'allowed',
    reason,
    outcome: isRefused ? undefined : outcome,
    durationMs: Math.round((performance.now() - start) * 1000) / 1000,
    resultBytes,
  };
}

const isResumed = ({ requestState, inputResponses }: AuditedContext): true | undefined =>
  requestState === undefined && inputResponses === undefined ? undefined : true;

let lastTime = 0;
let lastText = new Date(0).toISOString();

/** Returns a time as ISO 8601 in UTC. Many calls end in the same millisecond. */
export function timeText(ms: number): string {
  if (ms !== lastTime) {
    lastTime = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}

/** Returns the outcome of an answer. */
export function outcomeOf(answer: AuditedAnswer): AuditOutcome {
  if (!answer.ok) return 'failed';
  const { result = {} } = answer;
  if (memberOf(result, 'resultType') === 'input_required') return 'input_required';
  return memberOf(result, 'isError') === true ? 'error_result' : 'ok';
}

/** Returns the size of a result as JSON, in bytes, without `_meta`. */
export function resultBytesOf(answer: AuditedAnswer): number | undefined {
  if (!answer.ok || answer.result === undefined) return undefined;
  const { result } = answer;
  return result instanceof RawObject
    ? rawBytes(result)
    : Buffer.byteLength(textWithoutMeta(result));
}

/** The size as the server sent it. */
const rawBytes = ({ slice: { from, to, members } }: RawObject): number => {
  const meta = members?.['_meta'];
  return to - from - (meta === undefined ? 0 : meta.to - meta.nameFrom);
};

const textWithoutMeta = (result: JsonObject): string => {
  if (!Object.hasOwn(result, '_meta')) return jsonText(result);
  const { _meta, ...rest } = result;
  return JSON.stringify(rest);
};
