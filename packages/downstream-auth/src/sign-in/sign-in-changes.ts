import type { StateStore } from '@gateway/state-store';
import * as z from 'zod/mini';
import type { CredentialChange } from '../ports/credentials.ts';
import { parseJson } from '../storage/parse-json.ts';

const CHANNEL = 'server-sign-in';

const change = z.object({ server: z.string(), principalKey: z.string() });

/** Changes of sign-ins, in all processes of a store. */
export interface SignInChanges {
  /** Reports a change to all processes, and to this one when the store does not answer. */
  readonly announce: (change: CredentialChange) => Promise<void>;
  /** Adds a listener, which runs after those that were added before. */
  readonly onChange: (listener: (change: CredentialChange) => void) => () => void;
  readonly close: () => void;
}

/** Creates the changes. */
export const createSignInChanges = (store: StateStore): SignInChanges => {
  const listeners = new Set<(change: CredentialChange) => void>();
  const notify = (changed: CredentialChange): void => {
    for (const listener of [...listeners]) listener(changed);
  };
  const close = store.subscribe(CHANNEL, (text) => {
    const changed = change.safeParse(parseJson(text)).data;
    if (changed !== undefined) notify(changed);
  });
  return {
    announce: async ({ server, principalKey }) => {
      const changed = { server, principalKey };
      await store.publish(CHANNEL, JSON.stringify(changed)).catch(() => notify(changed));
    },
    onChange: (listener) => {
      const registered = (changed: CredentialChange): void => listener(changed);
      listeners.add(registered);
      return () => listeners.delete(registered);
    },
    close,
  };
};
