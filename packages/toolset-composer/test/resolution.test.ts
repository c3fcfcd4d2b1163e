import { expect, it } from 'vitest';
import {
  type ResolutionCall,
  parseResolution,
  formatResolution,
  formatResolvesTo,
} from '../src/resolution.ts';

const answered = (answer: unknown): ResolutionCall => ({ kind: 'answered', answer });
const read = { name: 'x_notes_read', kind: 'tool', server: 'notes' };

const UNSUPPORTED = "This installation's gateway does not evaluate toolsets yet";
const AWAY = 'The gateway is not available, so the toolset cannot be resolved here.';
const UNKNOWN = 'toolset [preset:a] names unknown preset "a"; known presets: none';

it.each<[ResolutionCall, string, string | undefined]>([
  [{ kind: 'idle' }, 'idle', undefined],
  [{ kind: 'pending' }, 'loading', 'Resolving the toolset…'],
  [{ kind: 'no-gateway' }, 'unavailable', AWAY],
  [answered({ tools: [read], total: 1 }), 'unsupported', UNSUPPORTED],
  [answered(null), 'unsupported', UNSUPPORTED],
  [{ kind: 'failed', message: UNKNOWN }, 'unknown-preset', UNKNOWN],
  [{ kind: 'failed', message: 'connection refused' }, 'error', 'connection refused'],
  [
    answered({ toolset: ['preset:none'], tools: [], total: 0 }),
    'resolved',
    'This toolset resolves to no tools for you right now.',
  ],
  [answered({ toolset: ['server:notes'], tools: [read], total: 1 }), 'resolved', undefined],
  [
    answered({ toolset: ['server:notes'], tools: [read], total: 40 }),
    'resolved',
    'The first 1 of 40 tools are shown.',
  ],
])('reads %j as %s', (call, state, text) => {
  const resolution = parseResolution(call);
  expect(resolution.state).toBe(state);
  expect(formatResolution(resolution)).toBe(text);
});

it('reports the selectors that match nothing and those that wait for a sign-in', () => {
  const unmatched = ['server:a', 'server:b'];
  const requiringAuth = ['server:b'];
  const lists = { toolset_unmatched: unmatched, toolset_requiring_auth: requiringAuth };
  const answer = { toolset: unmatched, tools: [], total: 0, ...lists };
  expect(parseResolution(answered(answer))).toEqual({
    ...{ state: 'resolved', tools: [], total: 0, unmatched, requiringAuth },
  });
});

it('counts the tools that it has when the answer has no count', () => {
  expect(parseResolution(answered({ toolset: [], tools: [read] }))).toMatchObject({ total: 1 });
});

it('heads the list with its size', () => {
  expect(formatResolvesTo(3)).toBe('Resolves to, for you (3)');
});
