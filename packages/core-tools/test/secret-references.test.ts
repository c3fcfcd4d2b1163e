import { describe, expect, it } from 'vitest';
import { portsOver, callTool } from './ports.ts';
import { files, wiki, withSpec } from './servers.ts';

const TOKEN = { name: 'TOKEN', secretKeyRef: { name: 'api', key: 'token' } };
const REMOTE = { name: 'mail', type: 'streamable-http', url: 'https://mail.example/mcp' };
const REMEDY = 'coreTools.secretReferences: true permits it';

const credentials = { clientCredentialsSecretRef: { name: 'api' } };

const withReferences = withSpec(files, {
  envFrom: [{ name: 'TOKEN', secretKeyRef: { name: 'api', key: 'token', optional: false } }],
});

const oauth = (more: object) => ({ ...REMOTE, auth: { type: 'oauth', ...more } });
const ISSUER = { issuer: 'https://evil.example' };
const CREDENTIALS = 'clientCredentialsSecretRef';

const DEFINITIONS: readonly (readonly [string, object])[] = [
  ['envFrom', { name: 'mail', type: 'stdio', command: 'curl', envFrom: [TOKEN] }],
  ['headersFrom', { ...REMOTE, headersFrom: [TOKEN] }],
  [
    `auth.authorizationServer.${CREDENTIALS}`,
    oauth({ authorizationServer: { ...ISSUER, ...credentials } }),
  ],
  [
    `auth.tokenExchange.${CREDENTIALS}`,
    oauth({ tokenExchange: { enabled: false, ...credentials } }),
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
      `spec.command: the definition names Secrets or ConfigMaps, so that core tools change no field that decides where their values are sent; give the values again, or ${REMEDY}`,
    ]);
    const permitted = { ...restricted, permitsSecretReferences: () => true };
    await problemsOf('core_mcpserver_update', patch, permitted);
    expect(limits).toEqual([{ keepsDestination: true }, { keepsDestination: false }]);
  });

  it.each([
    ['envFrom', [TOKEN], 'definition that names Secrets or ConfigMaps'],
    ['env', { A: '${env:AWS_SECRET_ACCESS_KEY}' }, 'placeholders of variables and files'],
    ['args', ['${file:/etc/passwd}'], 'placeholders of variables and files'],
  ])('add no reference and no placeholder as %s of a server', async (field, value, what) => {
    const patch = { name: 'files', [field]: value };
    expect(await problemsOf('core_mcpserver_update', patch, portsOver([files]))).toEqual([
      `spec.${field}: core tools write no ${what}; ${REMEDY}`,
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

  it.each([
    ['core_mcpserver_get', { name: 'files' }, true],
    ['core_mcpserver_list', {}, true],
    ['core_service_status', { name: 'files' }, false],
  ])('show references as they are written, and no value: %s', async (tool, args, isShown) => {
    const referenced = { values: { TOKEN: 'canary-7d1f' } };
    const definition = { ...withReferences.definition, referenced };
    const ports = portsOver([{ ...withReferences, definition }]);
    const text = JSON.stringify(await callTool(tool, args, ports));
    expect(text).not.toContain('canary-7d1f');
    const written = '"secretKeyRef":{"name":"api","key":"token","optional":false}';
    expect(text.includes(written)).toBe(isShown);
  });
});
