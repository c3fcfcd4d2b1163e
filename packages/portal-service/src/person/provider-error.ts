/** The provider did not answer, or answered something else than tokens. */
export class ProviderError extends Error {
  constructor() {
    super('the provider of the sign-in did not answer');
    this.name = 'ProviderError';
  }
}
