import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ActiveCall, findAddressee } from '../src/requests/server-messages.ts';
import { testCaller } from './harness/callers.ts';

/** `A` is a running call of ann, `a` one that was given up; `-` a call without a caller. */
const callOf = (letter: string, id = 0): ActiveCall => ({
  id,
  caller: letter === '-' ? undefined : testCaller(letter.toLowerCase()),
  isAbandoned: letter !== letter.toUpperCase(),
});

/** The same without sessions: each call has an identity of its own, and only its client has a name. */
const namelessCallOf = (letter: string, id = 0): ActiveCall => {
  const client = letter === '-' ? undefined : letter.toLowerCase();
  return { ...callOf(letter, id), caller: testCaller('?', { identity: { id }, client }) };
};

const shared = (letters: string, create = callOf): string => {
  const calls = Array.from(letters, create);
  const addressee = findAddressee({ kind: 'shared', calls });
  return addressee.ok
    ? `call ${calls.findIndex((call) => call === addressee.call)}`
    : addressee.refusal.code.replace('server-request.', '');
};

const ownStream = (letter: string): string => {
  const call = letter === '' ? undefined : callOf(letter);
  const addressee = findAddressee({ kind: 'own-stream', call });
  return addressee.ok ? 'the call' : addressee.refusal.code.replace('server-request.', '');
};

it.each([
  ['A', 'call 0'],
  ['aA', 'call 1'],
  ['aaA', 'call 2'],
  ['Aa', 'call 0'],
  ['AA', 'several-callers'],
  ['aAA', 'several-callers'],
  ['AaA', 'several-callers'],
  ['aB', 'several-callers'],
  ['abA', 'several-callers'],
  ['a', 'call-ended'],
  ['-', 'call 0'],
  ['a-', 'several-callers'],
])('a message on a stream that calls without sessions share, %j: %s', (letters, whose) => {
  expect(shared(letters, namelessCallOf)).toBe(whose);
});

it.each([
  ['A', 'the call'],
  ['-', 'no-caller'],
  ['a', 'call-ended'],
  ['', 'call-ended'],
])('a message on the stream of a request, %j: %s', (letter, whose) => {
  expect(ownStream(letter)).toBe(whose);
});

it.each([
  ['', 'no-call'],
  ['A', 'call 0'],
  ['AA', 'call 1'],
  ['AB', 'several-callers'],
  ['AAB', 'several-callers'],
  ['-', 'no-caller'],
  ['--', 'several-callers'],
  ['A-', 'several-callers'],
  ['-A', 'several-callers'],
  ['a', 'call-ended'],
  ['aA', 'call 1'],
  ['Aa', 'call 0'],
  ['aB', 'several-callers'],
  ['Ba', 'several-callers'],
])('a message on a stream that all calls share, %j: %s', (letters, whose) => {
  expect(shared(letters)).toBe(whose);
});

it('belongs to a caller only if every call that it may belong to is that caller’s', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('A', 'a', 'B', 'b', '-') }), (letters) => {
      const callers = new Set(letters.toLowerCase());
      const sure = callers.size === 1 && !callers.has('-') && /[AB]/.test(letters);
      expect(shared(letters).startsWith('call ')).toBe(sure);
    }),
  );
});
