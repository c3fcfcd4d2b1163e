import { describe, expect, it } from 'vitest';
import {
  createProgramQuestion,
  formatServerAddress,
  listValueLines,
} from '../../src/pages/servers/server-parts.tsx';

describe('the review of a server', () => {
  const env = JSON.parse('{"__proto__":"ghp_hush","LEVEL":"debug","API_KEY":"hush"}') as object;
  const local = { type: 'stdio', command: 'npx', args: ['-y', 'x', '--token', 'hush'], env };
  const remote = {
    ...{ type: 'sse', url: 'https://a.example/mcp?api_key=hush&team=blue' },
    ...{ headers: { Authorization: 'Bearer hush' }, headersFrom: [{ name: 'X-Key' }] },
  };

  it('shows the address without secrets', () => {
    expect(formatServerAddress(local)).toBe('npx -y x --token ***');
    expect(formatServerAddress(remote)).toBe('https://a.example/mcp?api_key=***&team=blue');
    expect(createProgramQuestion([local])?.details).toEqual(['npx -y x --token ***']);
  });

  it('names each variable and header, and says which become secrets', () => {
    expect(listValueLines(local)).toEqual([
      '__proto__: ***, stored as a secret',
      'LEVEL: ***',
      'API_KEY: ***, stored as a secret',
    ]);
    expect(listValueLines(remote)).toEqual([
      'Authorization: ***, stored as a secret',
      'X-Key: a reference',
    ]);
    expect(listValueLines({ type: 'stdio', command: 'npx' })).toEqual([]);
  });
});
