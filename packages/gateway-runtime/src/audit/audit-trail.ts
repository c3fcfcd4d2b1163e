import {
  ANONYMOUS,
  type CallContext,
  type CallRecord,
  type JsonObject,
  escapeInvisible,
  createPrincipal,
} from '@gateway/call-contract';
import { RawObject, formatJson, isInputRequired } from '@gateway/mcp-wire';
import { type AuditOutcome, type AuditRecord, MAX_AUDIT_TEXT } from './audit-record.ts';
import { randomBytes } from 'node:crypto';
import type { CountedCall } from '../usage/usage-counts.ts';
import { type CallAnswer, findVerdict } from '../metrics/call-metrics.ts';
import { RefusalBudget, toRefusalKey } from './refusal-budget.ts';

/** The facts of a call that its context does not have. */
export type CallFacts = Pick<
  AuditRecord,
  'method' | 'metaTool' | 'name' | 'toolset' | 'parent' | 'run' | 'workflow'
>;

/** The members of a context that a record has. */
export type AuditedContext = Pick<CallContext, 'sessionId'> &
  Partial<
    Pick<
      CallContext,
      'principal' | 'callerKey' | 'clientName' | 'requestState' | 'inputResponses' | 'record'
    >
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

interface CallSizes {
  readonly durationMs: number;
  readonly resultBytes: number | undefined;
}

/** Returns the line of the audit log for a call that has ended. */
function auditRecord(
  { record, facts, context, time }: FollowedCall,
  outcome: AuditOutcome,
  { durationMs, resultBytes }: CallSizes,
): AuditRecord {
  const { refusal: reason } = record;
  const isRefused = reason !== undefined;
  // Every member is written out: a spread takes several times as long.
  return {
    time: formatTime(time),
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
    durationMs: Math.round(durationMs * 1000) / 1000,
    resultBytes,
  };
}

const isResumed = ({ requestState, inputResponses }: AuditedContext): true | undefined =>
  requestState === undefined && inputResponses === undefined ? undefined : true;

let lastTime = 0;
let lastText = new Date(0).toISOString();

/** Returns a time as ISO 8601 in UTC. Many calls end in the same millisecond. */
function formatTime(ms: number): string {
  if (ms !== lastTime) {
    lastTime = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}

/** Returns the outcome of an answer: its verdict, or that it requests input. */
const findOutcome = (answer: CallAnswer): AuditOutcome =>
  answer.ok && answer.result !== undefined && isInputRequired(answer.result)
    ? 'input_required'
    : findVerdict(answer);

/** Returns the size of a result as JSON, in bytes, without `_meta`. */
function countResultBytes(answer: CallAnswer): number | undefined {
  if (!answer.ok || answer.result === undefined) return undefined;
  const { result } = answer;
  return result instanceof RawObject ? countRawBytes(result) : countObjectBytes(result);
}

/** The size as the server sent it. */
const countRawBytes = ({ slice: { from, to, members } }: RawObject): number => {
  const meta = members?.['_meta'];
  return to - from - (meta === undefined ? 0 : meta.to - meta.nameFrom);
};

/** The text of the result is written once: the endpoint sends it. */
const countObjectBytes = (result: JsonObject): number => {
  const bytes = Buffer.byteLength(formatJson(result));
  if (!Object.hasOwn(result, '_meta')) return bytes;
  const { _meta: meta, ...rest } = result;
  const comma = Object.keys(rest).length > 0 ? ',' : '';
  return bytes - Buffer.byteLength(`"_meta":${formatJson(meta) ?? ''}${comma}`);
};

const FAILED: CallAnswer = { ok: false };

/** The members that equal refusals have in common. */
type RefusedWhat = Pick<AuditRecord, 'decision' | 'reason' | 'outcome'>;
type RefusedWho = Pick<AuditRecord, 'subject' | 'issuer' | 'peer'>;

/** The name that the portal gives itself. */
const PORTAL = 'portal';

/** The receivers of what a trail knows about calls. */
interface AuditReceivers {
  /** Accepts one line without its line feed; returns at once and never throws. Absent when no audit log is written. */
  readonly writeLine?: ((line: string) => void) | undefined;
  /** Counts a call of a tool. */
  readonly count: (call: CountedCall) => void;
}

/** Follows calls from their start to their end, counts those of tools, and writes one record for each. */
export class AuditTrail {
  readonly #writeLine: AuditReceivers['writeLine'];
  readonly #count: AuditReceivers['count'];
  readonly #prefix = randomBytes(6).toString('base64url');
  #calls = 0;
  /** The call whose synchronous part runs. Refusals because of the toolset are reported in this part, without a context. */
  #current: CallRecord | undefined;

  readonly #budget: RefusalBudget<RefusedWhat, RefusedWho>;

  /** @param windowMs interval in which equal refusals are one record, in milliseconds */
  constructor({ writeLine, count }: AuditReceivers, windowMs?: number) {
    this.#writeLine = writeLine;
    this.#count = count;
    this.#budget = new RefusalBudget((refusal, count) => {
      this.#append({ ...this.#stamp(), ...refusal, ...(count > 1 && { count }) });
    }, windowMs);
  }

  /** Runs a call and writes its record when it has ended. The answer is not delayed. */
  follow<Answer extends CallAnswer>(
    context: AuditedContext,
    facts: CallFacts,
    run: () => Answer | Promise<Answer>,
  ): Answer | Promise<Answer> {
    const call = this.#begin(context, facts);
    context.record = call.record;
    const outer = this.#current;
    this.#current = call.record;
    try {
      const answer = run();
      if (answer instanceof Promise) this.#wait(call, answer);
      else this.#end(call, answer);
      return answer;
    } catch (error) {
      this.#end(call, FAILED);
      throw error;
    } finally {
      this.#current = outer;
    }
  }

  /** Runs a check of a call that runs or ran already, and writes a record when it is refused. */
  followCheck<Answer extends CallAnswer>(
    context: AuditedContext,
    facts: CallFacts,
    check: () => Answer | undefined,
  ): Answer | undefined {
    const call = this.#begin(context, facts);
    const outer = this.#current;
    this.#current = call.record;
    try {
      const refused = check();
      if (refused !== undefined) this.#end(call, refused);
      return refused;
    } finally {
      this.#current = outer;
    }
  }

  /** Records the reason why the current call is refused. */
  refuseCurrent(reason: string): void {
    if (this.#current !== undefined) this.#current.refusal ??= reason;
  }

  /** Writes a record that is not that of a call. */
  write(record: Omit<AuditRecord, 'id' | 'time'>): void {
    if (this.#writeLine === undefined) return;
    if (
      record.decision === 'allowed' ||
      this.#budget.take(resolveRecordKey(record), () => toCountedRefusal(record))
    )
      this.#append({ ...this.#stamp(), ...record });
  }

  /** Counts a refusal of a request that names no call; equal ones of a second are one record. */
  countRefusal(reason: string, peer?: string): void {
    if (this.#writeLine !== undefined)
      this.#budget.count({ what: { decision: 'refused', reason }, who: { peer } });
  }

  /** Writes the records of the refusals that were counted until now. */
  close(): void {
    this.#budget.flush();
  }

  #begin(context: AuditedContext, facts: CallFacts): FollowedCall {
    const record = { id: this.#nextId(), isExecuted: false };
    return { record, facts, context, time: Date.now(), start: performance.now() };
  }

  #wait(call: FollowedCall, answer: Promise<CallAnswer>): void {
    const settle = (value: CallAnswer): void => {
      this.#settled(call, value);
    };
    answer.then(settle, () => {
      settle(FAILED);
    });
  }

  #end(call: FollowedCall, answer: CallAnswer): void {
    this.#record(call, findOutcome(answer), answer);
  }

  /** A call that did not succeed may be cancelled. The signal is created when it is read, which calls that succeed do without. */
  #settled(call: FollowedCall, answer: CallAnswer): void {
    const outcome = findOutcome(answer);
    const isCancelled = outcome !== 'ok' && outcome !== 'input_required' && isAborted(call.context);
    this.#record(call, isCancelled ? 'cancelled' : outcome, answer);
  }

  #nextId(): string {
    this.#calls += 1;
    return `${this.#prefix}-${this.#calls.toString(36)}`;
  }

  #stamp(): Pick<AuditRecord, 'time' | 'id'> {
    return { time: formatTime(Date.now()), id: this.#nextId() };
  }

  /** Writes the record of a call. A call that the gateway itself turned away costs its caller nothing, and needs a budget. */
  #record(call: FollowedCall, outcome: AuditOutcome, answer: CallAnswer): void {
    if (this.#writeLine === undefined && call.record.tool === undefined) return;
    const durationMs = performance.now() - call.start;
    const sizes = { durationMs, resultBytes: countResultBytes(answer) };
    this.#countCall(call, outcome, sizes);
    if (this.#writeLine === undefined) return;
    const record = auditRecord(call, outcome, sizes);
    const isTurnedAway =
      record.decision === 'refused' ||
      (!call.record.isExecuted && (outcome === 'failed' || outcome === 'error_result'));
    if (
      !isTurnedAway ||
      this.#budget.take(toRefusalKey(call.context), () => toCountedRefusal(record))
    )
      this.#append(record);
  }

  /** Counts a call that a tool received and has answered. The portal reads with core tools, which is no use of them. */
  #countCall(
    { record, facts, context, time }: FollowedCall,
    outcome: AuditOutcome,
    sizes: CallSizes,
  ): void {
    const { tool } = record;
    if (tool === undefined || outcome === 'input_required') return;
    if (tool.startsWith('core_') && context.clientName === PORTAL) return;
    this.#count({
      tool,
      principal: context.principal ?? ANONYMOUS,
      toolset: facts.toolset,
      workflow: facts.workflow,
      isError: outcome !== 'ok',
      resultBytes: sizes.resultBytes ?? 0,
      durationMs: sizes.durationMs,
      endedAt: Math.round(time + sizes.durationMs),
    });
  }

  #append(record: AuditRecord): void {
    this.#writeLine?.(escapeInvisible(JSON.stringify(truncateRecord(record))));
  }
}

const toCountedRefusal = ({
  decision,
  reason,
  outcome,
  subject,
  issuer,
  peer,
}: RefusedWhat & RefusedWho) => ({
  what: { decision, reason, outcome },
  who: { subject, issuer, peer },
});

/** Returns the key of the party that a record without a call names. */
const resolveRecordKey = ({ issuer, subject, peer }: RefusedWho): string =>
  issuer === undefined || subject === undefined
    ? (peer ?? '')
    : createPrincipal({ issuer, subject }).key;

/** Cuts the texts of a record. It is copied only when one is too long. */
const truncateRecord = (record: AuditRecord): AuditRecord => {
  let cut = record;
  for (const key in record) {
    const text = record[key as keyof AuditRecord];
    if (typeof text === 'string' && text.length > MAX_AUDIT_TEXT)
      cut = { ...cut, [key]: text.slice(0, MAX_AUDIT_TEXT) };
  }
  return cut;
};

const isAborted = (context: object): boolean =>
  'signal' in context && (context as Pick<CallContext, 'signal'>).signal.aborted;
