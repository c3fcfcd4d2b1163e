/** The state of the provider, for one report per outage. */
export class Outage {
  readonly #onBegin: () => void;
  #hasBegun = false;

  /** @param onBegin called when the provider does not answer, and not again before it has answered */
  constructor(onBegin: () => void) {
    this.#onBegin = onBegin;
  }

  /** Records that the provider did not answer. */
  readonly begin = (): void => {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#onBegin();
  };

  /** Records an answer of the provider. */
  readonly end = (): void => {
    this.#hasBegun = false;
  };
}
