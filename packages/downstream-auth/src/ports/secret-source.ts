/** One value of a Secret. */
export interface SecretReference {
  readonly name: string;
  readonly namespace?: string;
  readonly key: string;
}

/** The value, or one line why there is none. */
export type SecretOutcome =
  { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string };

/** Values of Secrets, from files or from Kubernetes. */
export interface SecretSource {
  /** Returns the value without a line break at its end. Never rejects. */
  read(reference: SecretReference): Promise<SecretOutcome>;
}
