import { describe, expect, it } from 'vitest';
import { toDeclaredAccess, readDeclaredAccess, createToolsetCard } from '../src/toolset-card.ts';
import { parseResolution } from '../src/resolution.ts';

const idle = parseResolution({ kind: 'idle' });

const resource = (...tools: readonly object[]): object => ({ spec: { declarative: { tools } } });
const gateway = (headersFrom?: readonly object[]): object => ({
  type: 'McpServer',
  mcpServer: { name: 'gateway' },
  ...(headersFrom !== undefined && { headersFrom }),
});

describe('the access that an Agent resource declares', () => {
  it.each([
    ['no resource', undefined, { access: 'none' }],
    ['no tools', resource(), { access: 'none' }],
    ['a tool of another server', resource({ mcpServer: { name: 'other' } }), { access: 'none' }],
    ['the gateway without the header', resource(gateway()), { access: 'implicit-full' }],
    [
      'the gateway with another header',
      resource(gateway([{ name: 'X-Other', value: 'preset:none' }])),
      { access: 'implicit-full' },
    ],
    [
      'the header in any case',
      resource(gateway([{ name: 'x-GATEWAY-toolset', value: 'server:a, tool:b,' }])),
      { access: 'toolset', toolset: ['server:a', 'tool:b'] },
    ],
    [
      'two entries of which one has no header',
      resource(gateway([{ name: 'X-Gateway-Toolset', value: 'server:a' }]), gateway()),
      { access: 'implicit-full' },
    ],
  ])('with %s', (_, agent, expected) => {
    expect(readDeclaredAccess(agent, 'gateway')).toEqual(expected);
  });
});

describe('the access that agent-manager reports', () => {
  it.each([
    [{ implicitFullAccess: true } as const, { access: 'implicit-full' }],
    [{ toolset: ['server:a'] }, { access: 'toolset', toolset: ['server:a'] }],
    [{}, { access: 'none' }],
  ])('%j', (agent, expected) => {
    expect(toDeclaredAccess(agent)).toEqual(expected);
  });
});

describe('the card', () => {
  it('shows no tools for an agent without an entry, and for exactly preset:none', () => {
    expect(createToolsetCard({ access: 'none' }, idle)).toEqual({ kind: 'no-tools' });
    expect(createToolsetCard({ access: 'toolset', toolset: ['preset:none'] }, idle)).toEqual({
      kind: 'no-tools',
    });
    expect(createToolsetCard({ access: 'toolset', toolset: [] }, idle)).toEqual({
      kind: 'no-tools',
    });
  });

  it('warns about implicit full access', () => {
    expect(createToolsetCard({ access: 'implicit-full' }, idle)).toEqual({
      kind: 'implicit-full-access',
    });
  });

  it.each([
    [['preset:full'], true],
    [['server:a', 'preset:full'], true],
    [['preset:none', 'server:a'], false],
  ])('of %j warns about full access: %s', (toolset, isFullAccess) => {
    expect(createToolsetCard({ access: 'toolset', toolset }, idle)).toMatchObject({
      kind: 'toolset',
      isFullAccess,
    });
  });

  it('marks the selectors that match nothing, and those that wait for a sign-in', () => {
    const toolset = ['server:a', 'server:b', 'server:c'];
    const resolution = parseResolution({
      kind: 'answered',
      answer: {
        toolset,
        tools: [],
        toolset_unmatched: ['server:b', 'server:c'],
        toolset_requiring_auth: ['server:c'],
      },
    });
    expect(createToolsetCard({ access: 'toolset', toolset }, resolution)).toEqual({
      kind: 'toolset',
      isFullAccess: false,
      chips: [
        { selector: 'server:a', isUnmatched: false, requiresSignIn: false },
        { selector: 'server:b', isUnmatched: true, requiresSignIn: false },
        { selector: 'server:c', isUnmatched: true, requiresSignIn: true },
      ],
    });
  });

  it('marks nothing while the toolset is not resolved', () => {
    const toolset = ['server:a'];
    const failed = parseResolution({ kind: 'failed', message: 'connection refused' });
    expect(createToolsetCard({ access: 'toolset', toolset }, failed)).toMatchObject({
      chips: [{ selector: 'server:a', isUnmatched: false }],
    });
  });
});
