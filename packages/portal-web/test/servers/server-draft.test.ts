import { describe, expect, it } from 'vitest';
import {
  applyDetection,
  EMPTY_DRAFT,
  formatDetection,
  parseDetection,
  toDefinition,
} from '../../src/pages/server-new/server-draft.ts';

const TEXT = { id: 1, name: 'X-Team', source: 'text', value: 'blue', object: '' } as const;
const SECRET = { id: 2, name: 'Token', source: 'secret', value: 'key', object: 'tokens' } as const;
const MAP = { id: 3, name: 'Mode', source: 'configmap', value: 'mode', object: 'modes' } as const;

describe('the definition of a form', () => {
  it('of a remote server has headers, references and the sign-in', () => {
    const url = 'https://wiki.example/mcp';
    const fields = { name: ' wiki ', url, command: 'left from before', auth: 'oauth' } as const;
    const values = [TEXT, SECRET, MAP];
    expect(toDefinition({ ...EMPTY_DRAFT, ...fields, values })).toEqual({
      name: 'wiki',
      type: 'streamable-http',
      url,
      headers: { 'X-Team': 'blue' },
      headersFrom: [
        { name: 'Token', secretKeyRef: { name: 'tokens', key: 'key' } },
        { name: 'Mode', configMapKeyRef: { name: 'modes', key: 'mode' } },
      ],
      auth: { type: 'oauth' },
      autoStart: true,
    });
  });

  it('of a command has arguments by line, variables and a family', () => {
    const draft = {
      ...EMPTY_DRAFT,
      ...{ kind: 'stdio' as const, name: 'files', command: 'serve', args: '--dir\n/a b\n' },
      ...{ family: 'all-files', instanceArg: 'place', autoStart: false, values: [TEXT] },
    };
    expect(toDefinition(draft)).toEqual({
      name: 'files',
      type: 'stdio',
      command: 'serve',
      args: ['--dir', '/a b'],
      env: { 'X-Team': 'blue' },
      family: { name: 'all-files', instanceArg: 'place' },
      autoStart: false,
    });
  });

  it('keeps a variable of the name __proto__', () => {
    const draft = { ...EMPTY_DRAFT, values: [{ ...TEXT, name: '__proto__' }] };
    expect(JSON.stringify(toDefinition(draft)['headers'])).toBe('{"__proto__":"blue"}');
  });
});

describe('a detected server', () => {
  const answer = { reachable: true, transport: 'sse', requiresAuth: true, serverName: 'My Wiki' };

  it('fills the transport, the sign-in, and the name unless one is given', () => {
    const found = parseDetection(answer);
    const detected = { transport: 'sse', auth: 'oauth', name: 'my-wiki' };
    expect(applyDetection(EMPTY_DRAFT, found)).toMatchObject(detected);
    expect(applyDetection({ ...EMPTY_DRAFT, name: 'own' }, found).name).toBe('own');
    expect(formatDetection(found)).toBe('My Wiki answers over sse. It requires a sign-in.');
  });

  it('changes nothing when none answers', () => {
    const found = parseDetection({ reachable: false, transport: 'unknown', detail: 'refused' });
    expect(applyDetection(EMPTY_DRAFT, found)).toEqual(EMPTY_DRAFT);
    expect(formatDetection(found)).toBe('No MCP server answers at this address: refused');
  });
});
