import type { JsonObject } from '@gateway/call-contract';
import type { AuditOutcome, AuditRecord } from './audit-record.ts';

/** The part of an answer that a record describes. */
export type AuditedAnswer =
  | { readonly ok: true; readonly result?: JsonObject; readonly json?: string }
  | { readonly ok: false };

/** The facts of a call that are known when it starts. */
export type CallStart = Omit<
  AuditRecord,
  | 'time'
  | 'decision'
  | 'reason'
  | 'outcome'
  | 'durationMs'
  | 'resultBytes'
  | 'server'
  | 'serverName'
>;

/** The record of a call that is running. */
export class AuditedCall {
  readonly id: string;
  readonly #facts: CallStart;
  readonly #time = Date.now();
  readonly #start = performance.now();
  #server: string | undefined;
  #serverName: string | undefined;
  #reason: string | undefined;

  constructor(facts: CallStart) {
    this.id = facts.id;
    this.#facts = facts;
  }

  /** Records the server that receives the call, and its own name of the item. */
  sentTo(server: string, serverName?: string): void {
    this.#server = server;
    this.#serverName = serverName;
  }

  /** Records that the gateway does not execute the call. The first reason counts. */
  refuse(reason: string): void {
    this.#reason ??= reason;
  }

  /** Returns the record of the call after its end. */
  ended(outcome: AuditOutcome, resultBytes?: number): AuditRecord {
    const reason = this.#reason;
    return {
      time: new Date(this.#time).toISOString(),
      ...this.#facts,
      server: this.#server,
      serverName: this.#serverName,
      decision: reason === undefined ? 'allowed' : 'refused',
      reason,
      outcome: reason === undefined ? outcome : undefined,
      durationMs: Math.round((performance.now() - this.#start) * 1000) / 1000,
      resultBytes,
    };
  }
}

/** Returns the outcome of an answer. */
export function outcomeOf(answer: AuditedAnswer): AuditOutcome {
  if (!answer.ok) return 'failed';
  if (answer.result?.['resultType'] === 'input_required') return 'input_required';
  return answer.result?.['isError'] === true ? 'error_result' : 'ok';
}

/** Returns the size of a result as JSON, in bytes, without `_meta`. */
export function resultBytesOf(answer: AuditedAnswer): number | undefined {
  if (!answer.ok || answer.result === undefined) return undefined;
  if (answer.json !== undefined) return Buffer.byteLength(answer.json);
  const { _meta, ...rest } = answer.result;
  return Buffer.byteLength(JSON.stringify(rest));
}
