import { randomBytes } from 'node:crypto';
import type { CallContext } from '@gateway/call-contract';
import { MAX_AUDIT_TEXT, type AuditRecord } from './audit-record.ts';
import type { AuditSink } from './audit-sink.ts';
import { AuditedCall, outcomeOf, resultBytesOf, type AuditedAnswer } from './audited-call.ts';

/** The facts of a call that its context does not have. */
export type CallFacts = Pick<
  AuditRecord,
  'method' | 'metaTool' | 'name' | 'toolset' | 'parent' | 'run' | 'workflow'
>;

/** The members of a context that a record has. */
type AuditedContext = Pick<CallContext, 'sessionId'> &
  Partial<Pick<CallContext, 'principal' | 'callerKey' | 'requestState' | 'inputResponses'>>;

const SESSION_CHARACTERS = 8;

/** Follows calls from their start to their end and writes one record for each. */
export class AuditTrail {
  readonly #sink: AuditSink;
  readonly #prefix = randomBytes(6).toString('base64url');
  readonly #calls = new WeakMap<object, AuditedCall>();
  #count = 0;
  /** The call whose synchronous part runs. Refusals because of the toolset are reported in this part, without a context. */
  #current: AuditedCall | undefined;

  constructor(sink: AuditSink) {
    this.#sink = sink;
  }

  /** Runs a call and writes its record when it has ended. The answer is not delayed. */
  follow<Answer extends AuditedAnswer>(
    context: AuditedContext,
    facts: CallFacts,
    run: () => Answer | Promise<Answer>,
  ): Answer | Promise<Answer> {
    const call = this.#begin(context, facts);
    const outer = this.#current;
    this.#current = call;
    try {
      const answer = run();
      if (answer instanceof Promise)
        answer.then(
          (value) => {
            this.#end(call, value, isAborted(context));
          },
          () => {
            this.#end(call, { ok: false }, isAborted(context));
          },
        );
      else this.#end(call, answer, false);
      return answer;
    } catch (error) {
      this.#end(call, { ok: false }, false);
      throw error;
    } finally {
      this.#current = outer;
    }
  }

  /** Returns the running call of a context; `undefined` when it is not followed. */
  of(context: object): AuditedCall | undefined {
    return this.#calls.get(context);
  }

  /** Records the reason why the current call is refused. */
  refuseCurrent(reason: string): void {
    this.#current?.refuse(reason);
  }

  /** Writes a record that is not that of a call. */
  write(record: Omit<AuditRecord, 'id' | 'time'>): void {
    this.#write({ time: new Date().toISOString(), id: this.#nextId(), ...record });
  }

  #begin(context: AuditedContext, facts: CallFacts): AuditedCall {
    const { sessionId, principal } = context;
    const call = new AuditedCall({
      id: this.#nextId(),
      ...facts,
      name: bounded(facts.name),
      toolset: bounded(facts.toolset),
      subject: principal?.subject,
      issuer: principal?.issuer,
      peer: context.callerKey,
      session: sessionId?.slice(0, SESSION_CHARACTERS),
      resumed:
        context.requestState === undefined && context.inputResponses === undefined
          ? undefined
          : true,
    });
    this.#calls.set(context, call);
    return call;
  }

  #end(call: AuditedCall, answer: AuditedAnswer, isCancelled: boolean): void {
    const outcome = isCancelled ? 'cancelled' : outcomeOf(answer);
    this.#write(call.ended(outcome, resultBytesOf(answer)));
  }

  #nextId(): string {
    this.#count += 1;
    return `${this.#prefix}-${this.#count.toString(36)}`;
  }

  #write(record: AuditRecord): void {
    this.#sink.write(JSON.stringify(record));
  }
}

const isAborted = (context: object): boolean =>
  'signal' in context && (context as Pick<CallContext, 'signal'>).signal.aborted;

const bounded = (text: string | undefined): string | undefined =>
  text === undefined || text.length <= MAX_AUDIT_TEXT ? text : text.slice(0, MAX_AUDIT_TEXT);
