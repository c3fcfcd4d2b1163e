/** One value of a Secret. */
export interface SecretValueReference {
  readonly name: string;
  readonly namespace?: string;
  readonly key: string;
}

/** The value, or one line why there is none. */
export type SecretValue =
  { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string };

/** Values of Secrets. */
export interface SecretValues {
  /** Returns the current value without a line break at its end. Never rejects. */
  readonly read: (reference: SecretValueReference) => Promise<SecretValue>;
}
