import { describe, expect, it } from 'vitest';
import { isResourceMatch } from '../../src/discovery/discovery.ts';
import { listIssuerMetadataUrls, listResourceMetadataUrls } from '../../src/discovery/metadata.ts';

describe('well-known URLs', () => {
  it('of a resource are the path form and the root form', () => {
    expect(listResourceMetadataUrls(new URL('https://a.example/team/mcp?x=1'))).toEqual([
      'https://a.example/.well-known/oauth-protected-resource/team/mcp',
      'https://a.example/.well-known/oauth-protected-resource',
    ]);
    expect(listResourceMetadataUrls(new URL('https://a.example/'))).toEqual([
      'https://a.example/.well-known/oauth-protected-resource',
    ]);
  });

  it('of an issuer are path insertion, OpenID insertion, OpenID appending, and the root forms', () => {
    expect(listIssuerMetadataUrls(new URL('https://a.example/tenant/'))).toEqual([
      'https://a.example/.well-known/oauth-authorization-server/tenant',
      'https://a.example/.well-known/openid-configuration/tenant',
      'https://a.example/tenant/.well-known/openid-configuration',
      'https://a.example/.well-known/oauth-authorization-server',
      'https://a.example/.well-known/openid-configuration',
    ]);
    expect(listIssuerMetadataUrls(new URL('https://a.example'))).toEqual([
      'https://a.example/.well-known/oauth-authorization-server',
      'https://a.example/.well-known/openid-configuration',
    ]);
  });
});

it.each([
  ['https://a.example/mcp', true],
  ['https://a.example/mcp/', true],
  ['https://a.example', true],
  ['https://a.example/', true],
  ['https://a.example/mc', false],
  ['https://a.example/mcp/other', false],
  ['https://a.example/mcp?tenant=1', false],
  ['http://a.example/mcp', false],
  ['https://a.example:8443/mcp', false],
  ['https://b.example/mcp', false],
  ['mcp', false],
])('a resource identifier covers https://a.example/mcp: %s is %s', (resource, covers) => {
  expect(isResourceMatch(resource, new URL('https://a.example/mcp'))).toBe(covers);
});
