import { describe, expect, it } from 'vitest';
import { portsOver, callTool } from './ports.ts';
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
  const { structuredContent } = await callTool(tool, args, ports);
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

  it('do not send the values of a server elsewhere', async () => {
    const limits: unknown[] = [];
    // The store decides: servers whose values were not read yet are not known here.
    const ports = portsOver([]);
    const restricted = {
      ...ports,
      writeServer: {
        ...ports.writeServer,
        patch: (...[, , limit]: Parameters<typeof ports.writeServer.patch>) => {
          limits.push(limit);
          return Promise.resolve({ kind: 'restricted', field: 'command' } as const);
        },
      },
    };
    const patch = { name: 'files', command: 'curl' };
    expect(await problemsOf('core_mcpserver_update', patch, restricted)).toEqual([
      `spec.command: the definition names Secrets or ConfigMaps, so that core tools change no field that decides where their values are sent; ${REMEDY}`,
    ]);
    const permitted = { ...restricted, permitsSecretReferences: () => true };
    await problemsOf('core_mcpserver_update', patch, permitted);
    expect(limits).toEqual([{ keepsDestination: true }, { keepsDestination: false }]);
  });

  it('add no reference to a server', async () => {
    const patch = { name: 'files', envFrom: [TOKEN] };
    expect(await problemsOf('core_mcpserver_update', patch, portsOver([files]))).toEqual([
      `spec.envFrom: core tools write no definition that names Secrets or ConfigMaps; ${REMEDY}`,
    ]);
  });

  it('add no placeholder to a server, unless they may', async () => {
    for (const [field, value] of [
      ['env', { A: '${env:AWS_SECRET_ACCESS_KEY}' }],
      ['args', ['${file:/etc/passwd}']],
    ] as const) {
      const patch = { name: 'files', [field]: value };
      expect(await problemsOf('core_mcpserver_update', patch, portsOver([files]))).toEqual([
        `spec.${field}: core tools write no placeholders of variables and files; ${REMEDY}`,
      ]);
    }
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
    const server = { ...withReferences, definition: { ...withReferences.definition, referenced } };
    for (const [tool, args] of [
      ['core_mcpserver_get', { name: 'files' }],
      ['core_mcpserver_list', {}],
      ['core_service_status', { name: 'files' }],
    ] as const) {
      const text = JSON.stringify(await callTool(tool, args, portsOver([server])));
      expect(text).not.toContain('canary-7d1f');
      if (tool === 'core_mcpserver_get')
        expect(text).toContain('"secretKeyRef":{"name":"api","key":"token","optional":false}');
    }
  });
});
