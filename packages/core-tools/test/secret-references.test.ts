import { describe, expect, it } from 'vitest';
import { portsOver, resultOf } from './ports.ts';
import { files, wiki } from './servers.ts';

const TOKEN = { name: 'TOKEN', secretKeyRef: { name: 'api', key: 'token' } };
const REMOTE = { name: 'mail', type: 'streamable-http', url: 'https://mail.example/mcp' };
const REMEDY = 'coreTools.secretReferences: true permits it';

const credentials = { clientCredentialsSecretRef: { name: 'api' } };

const withReferences = {
  ...files,
  definition: {
    ...files.definition,
    spec: {
      ...files.definition.spec,
      envFrom: [{ name: 'TOKEN', secretKeyRef: { name: 'api', key: 'token', optional: false } }],
    },
  },
} as typeof files;

const DEFINITIONS: readonly (readonly [string, object])[] = [
  ['envFrom', { name: 'mail', type: 'stdio', command: 'curl', envFrom: [TOKEN] }],
  ['headersFrom', { ...REMOTE, headersFrom: [TOKEN] }],
  [
    'auth.authorizationServer.clientCredentialsSecretRef',
    {
      ...REMOTE,
      auth: {
        type: 'oauth',
        authorizationServer: { issuer: 'https://evil.example', ...credentials },
      },
    },
  ],
  [
    'auth.tokenExchange.clientCredentialsSecretRef',
    { ...REMOTE, auth: { type: 'oauth', tokenExchange: { enabled: false, ...credentials } } },
  ],
];

const problemsOf = async (
  tool: string,
  args: object,
  ports = portsOver([withReferences, wiki]),
) => {
  const { structuredContent } = await resultOf(tool, args, ports);
  return (structuredContent as { readonly problems?: readonly string[] }).problems;
};

describe('core tools and references to Secrets', () => {
  it.each(DEFINITIONS)('write no definition with %s', async (field, definition) => {
    const problem = `spec.${field}: core tools write no definition that names Secrets or ConfigMaps; ${REMEDY}`;
    const ports = portsOver([]);
    for (const verb of ['create', 'validate'])
      expect(await problemsOf(`core_mcpserver_${verb}`, definition, ports)).toEqual([problem]);
    expect(ports.orders).toEqual([]);
    const permitted = { ...portsOver([]), permitsSecretReferences: () => true };
    expect(await problemsOf('core_mcpserver_create', definition, permitted)).toBeUndefined();
  });

  it.each([
    ['command', { command: 'curl' }],
    ['args', { args: ['-d', '@/proc/self/environ'] }],
    ['env', { env: { PATH: '/tmp' } }],
    ['type', { type: 'sse', url: 'https://evil.example', command: null, args: null }],
  ])('do not send the values of a server elsewhere with %s', async (field, patch) => {
    const ports = portsOver([withReferences]);
    expect(await problemsOf('core_mcpserver_update', { name: 'files', ...patch }, ports)).toEqual([
      `spec.${field}: the definition names Secrets or ConfigMaps, so that core tools change no field that decides where their values are sent; ${REMEDY}`,
    ]);
    expect(ports.orders).toEqual([]);
  });

  it('add no reference to a server', async () => {
    const patch = { name: 'files', envFrom: [TOKEN] };
    expect(await problemsOf('core_mcpserver_update', patch, portsOver([files]))).toEqual([
      `spec.envFrom: core tools write no definition that names Secrets or ConfigMaps; ${REMEDY}`,
    ]);
  });

  it('do not correct a definition whose references are not known', async () => {
    const refused = { name: 'lost', problems: ['spec.url: must be an http:// or https:// URL'] };
    const ports = { ...portsOver([]), refusedServers: () => Promise.resolve([refused]) };
    const patch = { name: 'lost', url: 'https://evil.example/mcp' };
    expect(await problemsOf('core_mcpserver_update', patch, ports)).toEqual([
      'spec.url: the definition is not valid, so that it is not known whether it names Secrets or ConfigMaps; correct it in its file or object, or set coreTools.secretReferences: true',
    ]);
  });

  it('change the other fields of a server with references', async () => {
    const ports = portsOver([withReferences]);
    const patch = { name: 'files', description: 'Files', autoStart: false, timeout: 9 };
    expect(await problemsOf('core_mcpserver_update', patch, ports)).toBeUndefined();
    expect(ports.orders).toEqual([
      'patch server files {"description":"Files","autoStart":false,"timeout":9}',
    ]);
  });

  it('show references as they are written, and no value', async () => {
    const referenced = { values: { TOKEN: 'canary-7d1f' } };
    const server = {
      ...withReferences,
      definition: { ...withReferences.definition, referenced },
    };
    for (const [tool, args] of [
      ['core_mcpserver_get', { name: 'files' }],
      ['core_mcpserver_list', {}],
      ['core_service_status', { name: 'files' }],
    ] as const) {
      const text = JSON.stringify(await resultOf(tool, args, portsOver([server])));
      expect(text).not.toContain('canary-7d1f');
      if (tool === 'core_mcpserver_get')
        expect(text).toContain('"secretKeyRef":{"name":"api","key":"token","optional":false}');
    }
  });
});
