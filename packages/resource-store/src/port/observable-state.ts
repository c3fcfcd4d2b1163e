type Listener<State> = (state: State, previous: State) => void;

/** A state that changes, and its listeners, which must not throw. */
export class ObservableState<State> {
  readonly #listeners = new Set<Listener<State>>();
  #state: State;

  constructor(first: State) {
    this.#state = first;
  }

  readonly current = (): State => this.#state;

  /** Calls the listener with each new state and the previous one, until the returned function is called. */
  readonly subscribe = (listener: Listener<State>): (() => void) => {
    // A new function, so that one listener can be subscribed twice.
    const own: Listener<State> = (state, previous) => {
      listener(state, previous);
    };
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  };

  /** Replaces the state. The same state is no change. */
  set(state: State): void {
    const previous = this.#state;
    if (state === previous) return;
    this.#state = state;
    for (const listener of [...this.#listeners]) listener(state, previous);
  }

  /** Removes all listeners. */
  close(): void {
    this.#listeners.clear();
  }
}
