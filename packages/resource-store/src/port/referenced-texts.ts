import type { ReferencedKind } from '@gateway/crd-schemas';

/** A key of a Secret or ConfigMap. */
export interface ReferencedKey {
  readonly kind: ReferencedKind;
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
}

/** The text of a key, or why there is none: `pending` until it was read once. The reason contains no value. */
export type ReferencedText =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly code: 'pending' | 'absent' | 'unreadable';
      readonly reason: string;
    };

/** The texts of keys of Secrets and ConfigMaps, which are read again when they change. */
export interface ReferencedTexts {
  /** Follows these keys and no others. Resolves when each was read or could not be read. Never rejects. */
  readonly follow: (keys: readonly ReferencedKey[]) => Promise<void>;
  /** Returns the current text of a followed key, without a line break at its end. */
  readonly read: (key: ReferencedKey) => ReferencedText;
  /** Calls the listener after changes until the returned function is called. The listener must not throw. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Stops following. */
  readonly close: () => void;
}
