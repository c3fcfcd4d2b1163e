import { createRequire } from 'node:module';
import process from 'node:process';

/** Secrets in the keyring of the operating system. Methods reject when the keyring cannot be used. */
export interface Keyring {
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  delete(account: string): Promise<void>;
}

/** The part of `@napi-rs/keyring` that is used. */
interface KeyringModule {
  readonly AsyncEntry: new (
    service: string,
    account: string,
    options?: { readonly linux?: { readonly store: 'secret-service' } },
  ) => {
    getPassword(): Promise<string | null>;
    setPassword(secret: string): Promise<void>;
    deletePassword(): Promise<boolean>;
  };
}

const SERVICE = 'mcp-gateway';
/** The keyring of the Linux kernel is empty after a restart. */
const OPTIONS = { linux: { store: 'secret-service' } } as const;

/** The package is optional and has native code, which a bundle cannot contain. */
const load = (): KeyringModule | undefined => {
  try {
    return createRequire(import.meta.url)('@napi-rs/keyring') as KeyringModule;
  } catch {
    return undefined;
  }
};

/**
 * Returns the keyring, or undefined without its package, or when `GATEWAY_KEYRING` is `off`.
 * @param environment of the command
 */
export const openKeyring = (
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Keyring | undefined => {
  if (environment['GATEWAY_KEYRING'] === 'off') return undefined;
  const module = load();
  if (module === undefined) return undefined;
  const { AsyncEntry } = module;
  return {
    get: async (account) =>
      (await new AsyncEntry(SERVICE, account, OPTIONS).getPassword()) ?? undefined,
    set: (account, secret) => new AsyncEntry(SERVICE, account, OPTIONS).setPassword(secret),
    delete: async (account) => {
      await new AsyncEntry(SERVICE, account, OPTIONS).deletePassword();
    },
  };
};
