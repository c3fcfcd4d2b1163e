import { connectLink, LinkError, type LinkPort } from '@gateway/process-link';
import { StateStoreError, type StateStore } from '@gateway/state-store';
import { STATE_MEMBERS, type StateContract, type StateResult } from './state-contract.ts';

const failureOf = (error: unknown): unknown =>
  error instanceof LinkError
    ? new StateStoreError(
        'unavailable',
        'The state store is not available: the primary process did not answer.',
      )
    : error;

const valueOf = async <T>(answer: Promise<StateResult<T>>): Promise<T> => {
  const result = await answer.catch((error: unknown) => {
    throw failureOf(error);
  });
  if (result.ok) return result.value;
  throw new StateStoreError(result.code, result.message);
};

/** Returns the state store of the primary process. `close` does nothing: the primary process closes it. */
export const connectState = (port: LinkPort): StateStore => {
  const state = connectLink<StateContract>(port, STATE_MEMBERS);
  return {
    get: async (key) => (await valueOf(state.get(key))) ?? undefined,
    set: async (key, value, options) => {
      await valueOf(state.set(key, value, options));
    },
    add: (key, value, options) => valueOf(state.add(key, value, options)),
    replace: (key, value, options) => valueOf(state.replace(key, value, options)),
    take: async (key) => (await valueOf(state.take(key))) ?? undefined,
    delete: async (key) => {
      await valueOf(state.delete(key));
    },
    deleteIf: (key, value) => valueOf(state.deleteIf(key, value)),
    deleteGroup: async (group) => {
      await valueOf(state.deleteGroup(group));
    },
    publish: async (channel, text) => {
      await valueOf(state.publish(channel, text));
    },
    subscribe: (channel, listener) => state.subscribe(channel, listener),
    close: () => Promise.resolve(),
  };
};
