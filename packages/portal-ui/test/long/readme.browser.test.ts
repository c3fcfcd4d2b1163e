import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { listAccessibilityProblems, launchBrowser } from '@gateway/test-peers';
import react from '@vitejs/plugin-react';
import { build, preview, type InlineConfig } from 'vite';
import { expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const PACKAGE = resolve(import.meta.dirname, '../..');
const PACKAGES = resolve(PACKAGE, '..');
/** The version of pnpm that the repository pins. */
const PNPM = 'pnpm@10.34.8';

const SCOPE = '@gateway/';

const TOOLS = [
  { name: 'x_files_read', kind: 'tool', server: 'files', annotations: { readOnlyHint: true } },
  { name: 'workflow_triage', kind: 'workflow' },
];

/** The application of the host: its backend answers as a gateway does. */
const MAIN = `
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AgentCard, Appearance, hostAt } from './plugin.tsx';
import { mountAgentTools } from './mount.tsx';

const tools = ${JSON.stringify(TOOLS)};
const presets = [{ name: 'triage', description: 'For incidents', built_in: false }];
const answers: Record<string, (args: any) => unknown> = {
  list_tools: () => ({ tools, servers_requiring_auth: [{ name: 'mail' }] }),
  call_tool: () => ({ mcpServers: [{ name: 'files', state: 'Running' }] }),
  filter_tools: ({ toolset = [] }) => ({
    tools: tools.slice(0, 1), total: 1, presets, toolset, toolset_unmatched: toolset.filter((one: string) => one === 'server:mail'),
    toolset_requiring_auth: toolset.filter((one: string) => one === 'server:mail'),
  }),
};
/** Answers as the gateway does: those of filter_tools as a stream. */
const send: typeof fetch = async (_path, init) => {
  const { params } = JSON.parse(String(init?.body));
  const value = answers[params.name]?.(params.arguments);
  const result = { content: [{ type: 'text', text: JSON.stringify(value) }] };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result });
  return params.name === 'filter_tools'
    ? new Response('event: message\\ndata: ' + body + '\\n\\n', { headers: { 'content-type': 'text/event-stream' } })
    : new Response(body, { headers: { 'content-type': 'application/json' } });
};
const host = hostAt('/mcp', send);

createRoot(document.body.appendChild(document.createElement('main'))).render(
  <StrictMode>
    <Appearance>
      <h1>Plugin</h1>
      <AgentCard host={host} agent={{ toolset: ['preset:read-only', 'server:mail'] }} />
    </Appearance>
  </StrictMode>,
);
mountAgentTools(document.body.appendChild(document.createElement('section')), host, (toolset) => { document.title = toolset.join(); });
`;

/**
 * The declarations of Backstage that the example uses. Its packages require React 18, which cannot be installed next to the React of the
 * components.
 */
const BACKSTAGE = `
declare module '@backstage/core-plugin-api' {
  import type { JSX } from 'react';
  interface ApiRef<T> { readonly id: string; readonly T: T }
  interface RouteRef { readonly $$routeRefType: 'absolute' }
  interface Extension<T> { expose(plugin: BackstagePlugin): T }
  interface BackstagePlugin { provide<T>(extension: Extension<T>): T }
  interface ApiFactory { readonly api: ApiRef<unknown> }
  export function createApiRef<T>(config: { id: string }): ApiRef<T>;
  export function createRouteRef(config: { id: string }): RouteRef;
  export function createApiFactory<Api, Impl extends Api, Deps>(factory: {
    api: ApiRef<Api>; deps: { [name in keyof Deps]: ApiRef<Deps[name]> }; factory(deps: Deps): Impl;
  }): ApiFactory;
  export function createPlugin(config: { id: string; routes?: Record<string, RouteRef>; apis?: Iterable<ApiFactory> }): BackstagePlugin;
  export function createRoutableExtension<T extends (props: any) => JSX.Element | null>(options: {
    name?: string; component: () => Promise<T>; mountPoint: RouteRef;
  }): Extension<T>;
  export function useApi<T>(ref: ApiRef<T>): T;
  export const discoveryApiRef: ApiRef<{ getBaseUrl(pluginId: string): Promise<string> }>;
  export const fetchApiRef: ApiRef<{ fetch: typeof fetch }>;
}
`;

const OPTIONS = {
  compilerOptions: {
    ...{ strict: true, jsx: 'react-jsx', module: 'esnext', moduleResolution: 'bundler' },
    ...{ target: 'es2022', skipLibCheck: true, lib: ['es2022', 'dom'], noEmit: true, types: [] },
    ...{ allowImportingTsExtensions: true, noImplicitAny: false },
  },
  files: ['css.d.ts', 'backstage.d.ts', 'main.tsx', 'backstage.tsx'],
};

type Manifest = Readonly<Record<'dependencies' | 'peerDependencies', object | undefined>>;

const unpack = async (name: string, folder: string): Promise<Manifest> => {
  const [packed, target] = [
    join(folder, 'packed', name),
    join(folder, 'node_modules', SCOPE, name),
  ];
  await Promise.all([packed, target].map((path) => mkdir(path, { recursive: true })));
  await run('npx', ['--yes', PNPM, 'pack', '--pack-destination', packed], {
    cwd: join(PACKAGES, name),
  });
  const [tarball = ''] = await readdir(packed);
  await run('tar', ['-xzf', join(packed, tarball), '-C', target, '--strip-components=1']);
  return JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as Manifest;
};

/** Links a package of the registry as a package of the repository has it. */
const link = async (name: string, folder: string, owner: string): Promise<void> => {
  const path = join(folder, 'node_modules', name);
  await mkdir(dirname(path), { recursive: true });
  await rm(path, { force: true });
  await symlink(join(PACKAGES, owner, 'node_modules', name), path);
};

/** Installs a package, and nothing but what its manifest declares. */
const install = async (name: string, folder: string): Promise<void> => {
  const { dependencies = {}, peerDependencies = {} } = await unpack(name, folder);
  const needed = Object.keys({ ...dependencies, ...peerDependencies });
  await Promise.all(
    needed.map((other) =>
      other.startsWith(SCOPE)
        ? install(other.slice(SCOPE.length), folder)
        : link(other, folder, name),
    ),
  );
};

/** Returns the program that a page shows. */
const blockOf = (page: string): string => /```tsx\n([^]*?)```/u.exec(page)?.[1] ?? '';

/** Writes a project of its own with the packed packages, what they declare, and the examples. */
const writeProject = async (folder: string): Promise<void> => {
  await install('portal-ui', folder);
  for (const types of ['@types/react', '@types/react-dom']) await link(types, folder, 'portal-ui');
  const read = (path: string): Promise<string> => readFile(join(PACKAGE, path), 'utf8');
  const files = {
    'plugin.tsx': await read('examples/plugin.tsx'),
    'mount.tsx': await read('examples/mount.tsx'),
    'backstage.tsx': blockOf(await read('examples/backstage.md')),
    'backstage.d.ts': BACKSTAGE,
    'main.tsx': MAIN,
    'css.d.ts': "declare module '*.css';\n",
    'tsconfig.json': JSON.stringify(OPTIONS),
    'package.json': '{ "private": true, "type": "module" }\n',
    'index.html':
      '<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:," /><body><script type="module" src="./main.tsx"></script></body></html>',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
};

it('the examples work with the packed package', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-ui-packed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeProject(folder);
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const reported = (error: { readonly stdout: string }): typeof error => error;
  const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch(reported);
  expect(stdout).toBe('');
  const settings: InlineConfig = {
    ...{ root: folder, configFile: false, logLevel: 'warn', plugins: [react()] },
    build: { chunkSizeWarningLimit: Infinity },
  };
  await build(settings);
  const server = await preview({ ...settings, preview: { host: '127.0.0.1', port: 0 } });
  onTestFinished(() => server.close());
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', ({ message }) => problems.push(message));
  await page.goto(server.resolvedUrls?.local[0] ?? '');
  await page.getByText('(matches nothing for you)').waitFor();
  await page.getByRole('button', { name: 'Sign in to mail' }).first().waitFor();
  await page.getByRole('checkbox', { name: 'triage' }).click();
  await page.getByRole('button', { name: 'Remove preset:triage' }).waitFor();
  expect(await page.title()).toBe('preset:triage');
  await page.getByText('Resolves to, for you (1)').nth(1).waitFor();
  expect(await listAccessibilityProblems(page)).toEqual([]);
  expect(problems).toEqual([]);
}, 600_000);
