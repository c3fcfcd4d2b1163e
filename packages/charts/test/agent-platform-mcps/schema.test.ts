import { describe, expect, it } from 'vitest';
import { schemaRefusals } from '../harness/schema-refusals.ts';

const CHART = 'agent-platform-mcps';

const ENTRY = { cluster: 'alpha', group: 'kubernetes', url: 'http://mcp.svc:8080/mcp' };

describe('the schema of the values', () => {
  it('refuses unknown keys at every level', async () => {
    const values = {
      mcpserver: [],
      muster: { family: {}, families: { kubernetes: { toolgroup: 'x' } } },
      defaults: { audience: [] },
      identityProviders: {
        p: {
          tokenEndpoint: 'https://dex/token',
          issuer: 'x',
          credentialsSecret: { name: 'a', key: 'b' },
        },
      },
      mcpServers: [
        { ...ENTRY, labels: {}, headers: {}, description: 'x', family: {} },
        {
          ...ENTRY,
          auth: { type: 'oauth', authorizationServer: { issuer: 'https://a.b', audience: 'x' } },
        },
      ],
    };
    expect(await schemaRefusals(CHART, values)).toEqual([
      '(root): Additional property mcpserver is not allowed',
      'defaults: Additional property audience is not allowed',
      'identityProviders.p.credentialsSecret: Additional property key is not allowed',
      'identityProviders.p: Additional property issuer is not allowed',
      'mcpServers.0: Additional property description is not allowed',
      'mcpServers.0: Additional property family is not allowed',
      'mcpServers.0: Additional property headers is not allowed',
      'mcpServers.0: Additional property labels is not allowed',
      'mcpServers.1.auth.authorizationServer: Additional property audience is not allowed',
      'mcpServers.1.auth: Additional property type is not allowed',
      'muster.families.kubernetes: Additional property toolgroup is not allowed',
      'muster: Additional property family is not allowed',
    ]);
  });

  it('refuses fields that the resource does not have', async () => {
    const further = {
      authorizationEndpoint: 'https://a.b/authorize',
      clientCredentialsSecretRef: { name: 'x' },
      grantScope: 'session',
      tokenEndpoint: 'https://a.b/token',
    };
    const auth = { mode: 'oauth', authorizationServer: { issuer: 'https://a.b', ...further } };
    const place = 'mcpServers.0.auth.authorizationServer';
    expect(await schemaRefusals(CHART, { mcpServers: [{ ...ENTRY, auth }] })).toEqual(
      Object.keys(further).map((key) => `${place}: Additional property ${key} is not allowed`),
    );
  });

  it('refuses wrong types, and entries without required fields', async () => {
    const values = {
      muster: { enabled: 'yes', families: { logs: {} } },
      identityProviders: { p: {} },
      mcpServers: [
        {},
        { ...ENTRY, timeout: '30', autoStart: 'true', toolGroup: null },
        { ...ENTRY, timeout: 1.5, cluster: 7, auth: { mode: 'oauth', authorizationServer: {} } },
        { ...ENTRY, auth: { mode: 'forward', audiences: 'x' } },
      ],
    };
    expect(await schemaRefusals(CHART, values)).toEqual([
      'identityProviders.p: tokenEndpoint is required',
      'mcpServers.0: cluster is required',
      'mcpServers.0: group is required',
      'mcpServers.0: url is required',
      'mcpServers.1.autoStart: Invalid type. Expected: boolean, given: string',
      'mcpServers.1.timeout: Invalid type. Expected: integer, given: string',
      'mcpServers.1.toolGroup: Invalid type. Expected: string, given: null',
      'mcpServers.2.auth.authorizationServer: issuer is required',
      'mcpServers.2.cluster: Invalid type. Expected: string, given: integer',
      'mcpServers.2.timeout: Invalid type. Expected: integer, given: number',
      'mcpServers.3.auth.audiences: Invalid type. Expected: array, given: string',
      'muster.enabled: Invalid type. Expected: boolean, given: string',
      'muster.families.logs: instanceArg is required',
    ]);
  });

  it('names a key that was set to null', async () => {
    const args = ['mcpServers', 'defaults.audiences', 'muster.enabled'].flatMap((key) => [
      '--set',
      `${key}=null`,
    ]);
    expect(await schemaRefusals(CHART, {}, args)).toEqual([
      '(root): mcpServers is required',
      'defaults: audiences is required',
      'muster: enabled is required',
    ]);
  });
});
