import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI } from './harness/gateway.ts';
import { startNode } from './harness/process.ts';

const DIST = dirname(CLI);

const text = (file: string): string => readFileSync(join(DIST, file), 'utf8');

/** The files that come with a file whether or not they are used, itself among them. */
function loadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const imports = /^(?:import|export|\} from)[^;]*?"\.\/([\w-]+\.js)";$/gm;
  for (const [, next = ''] of text(file).matchAll(imports)) loadedWith(next, seen);
  return seen;
}

/** Exports of the modules of Node 24 that Node 18 has not: a file that imports one by name does not link there. */
const NEWER: Readonly<Record<string, string>> = {
  crypto: 'argon2 argon2Sync decapsulate encapsulate hash',
  fs: 'glob globSync openAsBlob',
  'fs/promises': 'glob',
  module: 'constants enableCompileCache findPackageJSON registerHooks stripTypeScriptTypes',
  perf_hooks: 'eventLoopUtilization timerify',
  process: 'availableMemory execve finalization getBuiltinModule loadEnvFile ref unref',
  util: 'diff getCallSites getSystemErrorMessage parseEnv styleText',
  v8: 'isStringOneByteRepresentation queryObjects startCpuProfile',
  vm: 'constants',
  worker_threads: 'isInternalThread locks markAsUncloneable postMessageToThread threadName',
  zlib: 'crc32 createZstdCompress createZstdDecompress zstdCompress zstdDecompress',
};

/** The exports of modules of Node that a file imports by name, as `module name`. */
const namedImports = (file: string): readonly string[] =>
  [...text(file).matchAll(/^import [^;{]*\{([^}]*)\} from "([\w/]+)";$/gm)].flatMap(
    ([, names = '', module = '']) =>
      names.split(',').map((name) => `${module} ${name.trim().split(' ', 1).join('')}`),
  );

describe('the built command line', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-bundle-'));
    await cp(DIST, join(folder, 'dist'), { recursive: true });
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('serves from a separate folder without installed libraries', async () => {
    const gateway = startNode(
      [join(folder, 'dist/cli.js'), 'serve', '--config-dir', folder, '--port', '0'],
      { cwd: folder },
    );
    await gateway.line((line) => line.includes('"msg":"listening"'));
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  });

  it('ends when a part is missing, and serves without it', async () => {
    const part = 'start-portal';
    const damaged = join(folder, part);
    await cp(DIST, join(damaged, 'dist'), {
      recursive: true,
      filter: (file) => !basename(file).startsWith(`${part}-`),
    });
    const args = ['serve', '--config-dir', damaged, '--port', '0', '--no-health-listener'];
    const failed = startNode([join(damaged, 'dist/cli.js'), ...args, '--portal', '0']);
    expect(await failed.exited).toEqual({ code: 1, signal: null });
    expect(failed.stderr).toEqual([
      expect.stringMatching(
        /^gateway: \S+\/start-portal\/dist\/serving[.]cjs is damaged \(Cannot find module '[.]\/start-portal-\w+[.]cjs'\): install or build the program again$/u,
      ),
    ]);
    const gateway = startNode([join(damaged, 'dist/cli.js'), ...args]);
    await gateway.line((line) => line.includes('"msg":"listening"'));
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  });

  it.each([
    ['empty', '', 'it exports nothing'],
    ['cut', 'const a = {', 'Unexpected end of input'],
    [
      'cut between statements',
      'module.exports = { get runServing() { return run; } };',
      'run is not defined',
    ],
  ])('names the file with what serves when it is %s', async (_, content, reason) => {
    const damaged = await mkdtemp(join(folder, 'damaged-'));
    const file = join(damaged, 'serving.cjs');
    await cp(DIST, damaged, { recursive: true, filter: (from) => !from.endsWith('.cjs') });
    await writeFile(file, content);
    const failed = startNode([join(damaged, 'cli.js'), 'serve', '--config-dir', folder]);
    expect(await failed.exited).toEqual({ code: 1, signal: null });
    expect(failed.stderr).toEqual([
      `gateway: ${file} is damaged (${reason}): install or build the program again`,
    ]);
  });

  it('loads only the tree of commands for help, and nothing of it to serve', () => {
    const bytesWith = (file: string): number =>
      [...loadedWith(file)].map((each) => text(each).length).reduce((sum, size) => sum + size);
    const commands = readdirSync(DIST).find((file) => /^commands-\w+\.js$/.test(file)) ?? '';
    expect(bytesWith(commands)).toBeLessThan(250_000);
    expect(bytesWith('cli.js')).toBeLessThan(20_000);
  });

  it('interprets the schemas of zod', () => {
    expect(text('serving.cjs').match(/globalConfig\d*\.jitless=true/g)).toHaveLength(1);
  });

  it('links on Node 18, so that it can say which Node it needs', () => {
    const imports = [...loadedWith('cli.js')].flatMap(namedImports);
    expect(imports).toContain('path dirname');
    const newer = Object.entries(NEWER).flatMap(([module, names]) =>
      names.split(' ').map((name) => `${module} ${name}`),
    );
    expect(imports.filter((name) => newer.includes(name))).toEqual([]);
  });

  it('has what serves in files of ASCII text: one, and those of parts that few configurations use', () => {
    const files = readdirSync(DIST).filter((file) => file.endsWith('.cjs'));
    for (const file of files) expect(Buffer.byteLength(text(file))).toBe(text(file).length);
    const names = files.map((file) => file.replace(/-[A-Z0-9]{8}\.cjs$/, ''));
    // What two parts need, for example undici, has no name of its own.
    expect(names.filter((name) => name !== 'chunk')).toEqual([
      'bridge-stdio',
      'client-library',
      'create-broker',
      'create-redis-store',
      'create-resource-server',
      'serving.cjs',
      'start-portal',
      'tokens',
      'undici',
    ]);
    expect(text('serving.cjs')).not.toContain('UND_ERR_RES_EXCEEDED_MAX_SIZE');
    expect(text('serving.cjs').length).toBeLessThan(4_500_000);
    expect(text('serving.cjs')).toMatch(/require\("\.\/start-portal-\w+\.cjs"\)/);
  });

  it('has the portal in a part of its own alone', () => {
    const files = readdirSync(DIST).filter((file) => /\.c?js$/.test(file));
    const withPortal = files.filter((file) => text(file).includes('agent-manager-unreachable'));
    expect(withPortal).toEqual([expect.stringMatching(/^start-portal-\w+\.cjs$/)]);
    expect(text(withPortal[0] ?? '')).toMatch(/new URL\("web", ?__urlOfThisProgram\)/);
  });

  it('has source maps without source text', () => {
    const map = JSON.parse(text('cli.js.map')) as { sources: string[]; sourcesContent?: unknown };
    expect(map.sources).toContain('../src/cli.ts');
    expect(map.sources.filter((source) => !source.startsWith('../'))).toEqual([]);
    expect(map.sourcesContent).toBeUndefined();
  });

  it('contains the licences of all bundled libraries', () => {
    const titles = [
      ...text('THIRD-PARTY-LICENSES.txt').matchAll(/^-{80}\n(.+)\n-{80}\n\n\S/gm),
    ].map(([, title = '']) => title);
    const names = titles.map((title) => title.slice(0, title.indexOf(' ')));
    expect(names).toEqual(
      expect.arrayContaining(['@modelcontextprotocol/client', 'commander', 'pino', 'zod']),
    );
    expect(names).not.toContain('vitest');
    expect(
      titles.filter(
        (title) =>
          !/ \d+\.\d+\.\d+ \((MIT|ISC|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0)\)$/.test(title),
      ),
    ).toEqual([]);
  });
});
