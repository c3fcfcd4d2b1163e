import type { CallContext } from '@gateway/mcp-http';
import type { CallOptions } from '@gateway/meta-tools';

/**
 * What accompanies a call, read from its context only when somebody looks: the face makes a call's signal and its caller when
 * they are first read, and answers about the catalog need neither.
 */
export class ContextOptions implements CallOptions {
  readonly #context: CallContext;

  constructor(context: CallContext) {
    this.#context = context;
  }

  get session(): string | undefined {
    return this.#context.sessionId;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get caller(): CallOptions['caller'] {
    return this.#context.caller;
  }

  get onProgress(): CallOptions['onProgress'] {
    return this.#context.onProgress;
  }

  get meta(): CallOptions['meta'] {
    return this.#context.meta;
  }

  get inputResponses(): CallOptions['inputResponses'] {
    return this.#context.inputResponses;
  }

  get requestState(): string | undefined {
    return this.#context.requestState;
  }
}
