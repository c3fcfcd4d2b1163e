import { describe, expect, it } from 'vitest';
import {
  applyDetection,
  formatDetection,
  parseDetection,
} from '../../src/pages/server-new/detect-server.tsx';

describe('a detected server', () => {
  const answer = { reachable: true, transport: 'sse', requiresAuth: true, serverName: 'My Wiki' };
  const url = 'https://wiki.example/mcp';

  it('fills the type, the sign-in, and the name unless one is given', () => {
    const found = parseDetection(answer);
    const detected = { url, type: 'sse', auth: { type: 'oauth' } };
    expect(applyDetection({ url, type: 'streamable-http' }, found)).toEqual({
      ...detected,
      name: 'my-wiki',
    });
    expect(applyDetection({ url, name: 'own' }, found)).toEqual({ ...detected, name: 'own' });
    expect(formatDetection(found)).toBe('My Wiki answers over sse. It requires a sign-in.');
  });

  it('changes nothing when none answers', () => {
    const found = parseDetection({ reachable: false, transport: 'unknown', detail: 'refused' });
    expect(applyDetection({ url, name: 'own' }, found)).toEqual({ url, name: 'own' });
    expect(formatDetection(found)).toBe('No MCP server answers at this address: refused');
  });
});
