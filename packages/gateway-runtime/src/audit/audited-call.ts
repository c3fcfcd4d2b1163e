import type { CallContext, CallResult, JsonObject } from '@gateway/call-contract';
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
  Partial<Pick<CallContext, 'principal' | 'callerKey' | 'requestState' | 'inputResponses'>>;

const SESSION_CHARACTERS = 8;

/** The record of a call that is running. */
export class AuditedCall {
  readonly id: string;
  readonly context: AuditedContext;
  /** A server, a workflow or a core tool received the call. */
  isExecuted = false;
  readonly #facts: CallFacts;
  readonly #time = Date.now();
  readonly #start = performance.now();
  #server: string | undefined;
  #serverName: string | undefined;
  #reason: string | undefined;

  constructor(id: string, context: AuditedContext, facts: CallFacts) {
    this.id = id;
    this.context = context;
    this.#facts = facts;
  }

  /** Records the server that receives the call, and its own name of the item. */
  sentTo(server: string, serverName?: string): void {
    this.isExecuted = true;
    this.#server = server;
    this.#serverName = serverName;
  }

  /** Records that the gateway executes the call itself, as a workflow or a core tool. */
  execute(): void {
    this.isExecuted = true;
  }

  /** Records that the gateway does not execute the call. The first reason counts. */
  refuse(reason: string): void {
    this.#reason ??= reason;
  }

  /** Returns the record of the call after its end. */
  ended(outcome: AuditOutcome, resultBytes?: number): AuditRecord {
    const facts = this.#facts;
    const context = this.context;
    const reason = this.#reason;
    const isRefused = reason !== undefined;
    // Every member is written out: a spread takes several times as long.
    return {
      time: timeText(this.#time),
      id: this.id,
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
      server: this.#server,
      serverName: this.#serverName,
      toolset: facts.toolset,
      resumed: isResumed(context),
      decision: isRefused ? 'refused' : 'allowed',
      reason,
      outcome: isRefused ? undefined : outcome,
      durationMs: Math.round((performance.now() - this.#start) * 1000) / 1000,
      resultBytes,
    };
  }
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
