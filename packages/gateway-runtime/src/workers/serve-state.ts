import { serveLink, type LinkPort } from '@gateway/process-link';
import { StateStoreError, type StateStore } from '@gateway/state-store';
import type { StateContract, StateResult } from './state-contract.ts';

const resultOf = async <T, R>(
  operation: Promise<T>,
  value: (result: T) => R,
): Promise<StateResult<R>> => {
  try {
    return { ok: true, value: value(await operation) };
  } catch (error) {
    if (!(error instanceof StateStoreError)) throw error;
    return { ok: false, code: error.code, message: error.message };
  }
};

const textOrNull = (value: string | undefined): string | null => value ?? null;
const nothing = (): null => null;
const same = (value: boolean): boolean => value;

/** Serves the state store of this process to a worker, until its channel closes. */
export const serveState = (store: StateStore, port: LinkPort): void => {
  const served: StateContract = {
    get: (key) => resultOf(store.get(key), textOrNull),
    set: (key, value, options) => resultOf(store.set(key, value, options), nothing),
    add: (key, value, options) => resultOf(store.add(key, value, options), same),
    replace: (key, value, options) => resultOf(store.replace(key, value, options), same),
    take: (key) => resultOf(store.take(key), textOrNull),
    delete: (key) => resultOf(store.delete(key), nothing),
    deleteIf: (key, value) => resultOf(store.deleteIf(key, value), same),
    deleteGroup: (group) => resultOf(store.deleteGroup(group), nothing),
    publish: (channel, text) => resultOf(store.publish(channel, text), nothing),
    subscribe: (channel, listener) => store.subscribe(channel, listener),
  };
  serveLink(port, served);
};
