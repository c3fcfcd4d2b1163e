import type { CallSlots } from '../admission/call-slots.ts';
import type { McpService, ServiceAnswer, ServiceCall } from '../protocol/mcp-service.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { INTERNAL_ERROR } from '../protocol/responses.ts';
import type { CallAdmission } from './call-admission.ts';
import type { RunningCall } from './running-call.ts';
import type { RunningCalls } from './running-calls.ts';

/** The dependencies of {@link CallRunner}. */
export interface CallRunnerDependencies {
  readonly service: McpService;
  readonly calls: RunningCalls;
  readonly admission: CallAdmission;
  readonly onError: (error: unknown) => void;
}

/** Runs calls of a service within the limits of their callers. */
export class CallRunner {
  readonly #dependencies: CallRunnerDependencies;

  constructor(dependencies: CallRunnerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Starts a call, or queues it. Returns the refusal when its caller has too many; otherwise the call ends by itself. */
  run(call: RunningCall, serviceCall: ServiceCall): Refusal | undefined {
    return this.#dependencies.admission.start(call, (slots) => {
      this.#start(call, serviceCall, slots);
    });
  }

  #start(call: RunningCall, serviceCall: ServiceCall, slots: Pick<CallSlots, 'release'>): void {
    const { service, calls } = this.#dependencies;
    let answer: ServiceAnswer | Promise<ServiceAnswer>;
    try {
      answer = service.call(serviceCall, call);
    } catch (error) {
      slots.release();
      this.#failed(call, error);
      return;
    }
    if (!(answer instanceof Promise)) {
      slots.release();
      call.answer(answer);
      return;
    }
    // A call that waited is tracked already.
    if (call.followed === undefined) calls.add(call);
    // A cancelled call occupies its slot until the service has ended it.
    answer.then(
      (value) => {
        slots.release();
        call.answer(value);
      },
      (error: unknown) => {
        slots.release();
        this.#failed(call, error);
      },
    );
  }

  #failed(call: RunningCall, error: unknown): void {
    // A cancelled call rejects with its own cancellation.
    if (call.isOver) return;
    this.#dependencies.onError(error);
    call.answer({ ok: false, error: INTERNAL_ERROR });
  }
}
