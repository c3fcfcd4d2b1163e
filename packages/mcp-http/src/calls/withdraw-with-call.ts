import type { RunningCall } from './running-call.ts';

/** The open questions of each call. */
const open = new WeakMap<RunningCall, Set<() => void>>();

/** Withdraws a question at the end of its call, unless the returned function is called before. */
export const withdrawWithCall = (call: RunningCall, withdraw: () => void): (() => void) => {
  const questions = open.get(call) ?? new Set();
  open.set(call, questions);
  questions.add(withdraw);
  call.questions ??= {
    onEnd: () => {
      for (const end of [...questions]) end();
      return false;
    },
  };
  return () => questions.delete(withdraw);
};
