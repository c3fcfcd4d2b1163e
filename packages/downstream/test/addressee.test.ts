import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ActiveCall, findAddressee } from '../src/requests/server-messages.ts';
import { testCaller } from './harness/callers.ts';

/** `A` is a running call of ann, `a` one that was given up; `-` a call without a caller. */
const callOf = (letter: string, id = 0): ActiveCall => ({
  id,
  caller: letter === '-' ? undefined : testCaller(letter.toLowerCase()),
  isAbandoned: letter !== letter.toUpperCase(),
});

const shared = (letters: string): string => {
  const calls = Array.from(letters, callOf);
  const addressee = findAddressee({ kind: 'shared', calls });
  return addressee.ok ? `call ${calls.indexOf(addressee.call)}` : addressee.refusal.code;
};

const ownStream = (letter: string): string => {
  const call = letter === '' ? undefined : callOf(letter);
  const addressee = findAddressee({ kind: 'own-stream', call });
  return addressee.ok ? 'the call' : addressee.refusal.code;
};

/** Calls without sessions: each has an identity of its own. `A` and `a` are those of the client ann; `-` has no name. */
const withoutSessions = (letters: string): string => {
  const calls = Array.from(letters, (letter, at) => ({
    id: at,
    caller: testCaller('?', {
      identity: { at },
      client: letter === '-' ? undefined : letter.toLowerCase(),
    }),
    isAbandoned: letter !== letter.toUpperCase(),
  }));
  const addressee = findAddressee({ kind: 'shared', calls });
  return addressee.ok
    ? `call ${calls.findIndex((call) => call === addressee.call)}`
    : addressee.refusal.code;
};

describe('a message on a stream that calls without sessions share', () => {
  it.each([
    ['A', 'call 0'],
    ['aA', 'call 1'],
    ['aaA', 'call 2'],
    ['Aa', 'call 0'],
    ['AA', 'server-request.several-callers'],
    ['aAA', 'server-request.several-callers'],
    ['AaA', 'server-request.several-callers'],
    ['aB', 'server-request.several-callers'],
    ['abA', 'server-request.several-callers'],
    ['a', 'server-request.call-ended'],
    ['-', 'call 0'],
    ['a-', 'server-request.several-callers'],
  ])('%j: %s', (letters, whose) => {
    expect(withoutSessions(letters)).toBe(whose);
  });
});

describe('a message on the stream of a request', () => {
  it.each([
    ['A', 'the call'],
    ['-', 'server-request.no-caller'],
    ['a', 'server-request.call-ended'],
    ['', 'server-request.call-ended'],
  ])('%j: %s', (letter, whose) => {
    expect(ownStream(letter)).toBe(whose);
  });
});

describe('a message on a stream that all calls share', () => {
  it.each([
    ['', 'server-request.no-call'],
    ['A', 'call 0'],
    ['AA', 'call 1'],
    ['AB', 'server-request.several-callers'],
    ['AAB', 'server-request.several-callers'],
    ['-', 'server-request.no-caller'],
    ['--', 'server-request.several-callers'],
    ['A-', 'server-request.several-callers'],
    ['-A', 'server-request.several-callers'],
    ['a', 'server-request.call-ended'],
    ['aA', 'call 1'],
    ['Aa', 'call 0'],
    ['aB', 'server-request.several-callers'],
    ['Ba', 'server-request.several-callers'],
  ])('%j: %s', (letters, whose) => {
    expect(shared(letters)).toBe(whose);
  });

  it('belongs to a caller only if every call that it may belong to is that caller’s', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('A', 'a', 'B', 'b', '-') }), (letters) => {
        const callers = new Set(letters.toLowerCase());
        const sure = callers.size === 1 && !callers.has('-') && /[AB]/.test(letters);
        expect(shared(letters).startsWith('call')).toBe(sure);
      }),
    );
  });
});
