import { randomBytes } from 'node:crypto';
import type { CallContext } from '@gateway/call-contract';
import type { AuditRecord } from './audit-record.ts';
import {
  AuditedCall,
  outcomeOf,
  resultBytesOf,
  timeText,
  type AuditedAnswer,
  type AuditedContext,
  type CallFacts,
} from './audited-call.ts';

const FAILED: AuditedAnswer = { ok: false };

/** Follows calls from their start to their end and writes one record for each. */
export class AuditTrail {
  readonly #writeLine: (line: string) => void;
  readonly #prefix = randomBytes(6).toString('base64url');
  /** Calls that wait, by their contexts. A weak map with an entry for each call makes garbage collection several times as expensive. */
  readonly #waiting = new Map<object, AuditedCall>();
  #count = 0;
  /** The call whose synchronous part runs. Refusals because of the toolset are reported in this part, without a context. */
  #current: AuditedCall | undefined;

  /** @param writeLine accepts one line without its line feed; returns at once and never throws */
  constructor(writeLine: (line: string) => void) {
    this.#writeLine = writeLine;
  }

  /** Runs a call and writes its record when it has ended. The answer is not delayed. */
  follow<Answer extends AuditedAnswer>(
    context: AuditedContext,
    facts: CallFacts,
    run: () => Answer | Promise<Answer>,
  ): Answer | Promise<Answer> {
    const call = new AuditedCall(this.#nextId(), context, facts);
    const outer = this.#current;
    this.#current = call;
    try {
      const answer = run();
      if (answer instanceof Promise) this.#wait(call, context, answer);
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
  followCheck<Answer extends AuditedAnswer>(
    context: AuditedContext,
    facts: CallFacts,
    check: () => Answer | undefined,
  ): Answer | undefined {
    const call = new AuditedCall(this.#nextId(), context, facts);
    const outer = this.#current;
    this.#current = call;
    try {
      const refused = check();
      if (refused !== undefined) this.#end(call, refused);
      return refused;
    } finally {
      this.#current = outer;
    }
  }

  /** Returns the running call of a context; `undefined` when it is not followed. */
  of(context: object): AuditedCall | undefined {
    const current = this.#current;
    return current?.context === context ? current : this.#waiting.get(context);
  }

  /** Records the reason why the current call is refused. */
  refuseCurrent(reason: string): void {
    this.#current?.refuse(reason);
  }

  /** Writes a record that is not that of a call. */
  write(record: Omit<AuditRecord, 'id' | 'time'>): void {
    this.#write({ time: timeText(Date.now()), id: this.#nextId(), ...record });
  }

  #wait(call: AuditedCall, context: AuditedContext, answer: Promise<AuditedAnswer>): void {
    this.#waiting.set(context, call);
    const settle = (value: AuditedAnswer): void => {
      this.#waiting.delete(context);
      this.#settled(call, context, value);
    };
    answer.then(settle, () => {
      settle(FAILED);
    });
  }

  #end(call: AuditedCall, answer: AuditedAnswer): void {
    this.#write(call.ended(outcomeOf(answer), resultBytesOf(answer)));
  }

  /** A call that did not succeed may be cancelled. The signal is created when it is read, which calls that succeed do without. */
  #settled(call: AuditedCall, context: AuditedContext, answer: AuditedAnswer): void {
    const outcome = outcomeOf(answer);
    const isCancelled = outcome !== 'ok' && outcome !== 'input_required' && isAborted(context);
    this.#write(call.ended(isCancelled ? 'cancelled' : outcome, resultBytesOf(answer)));
  }

  #nextId(): string {
    this.#count += 1;
    return `${this.#prefix}-${this.#count.toString(36)}`;
  }

  #write(record: AuditRecord): void {
    this.#writeLine(JSON.stringify(record));
  }
}

const isAborted = (context: object): boolean =>
  'signal' in context && (context as Pick<CallContext, 'signal'>).signal.aborted;
