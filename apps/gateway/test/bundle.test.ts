import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

  it('loads only the tree of commands for help', () => {
    const bytes = [...loadedWith('cli.js')].map((file) => text(file).length);
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(250_000);
  });

  it('loads the portal only where it is served', () => {
    const files = readdirSync(DIST).filter((file) => file.endsWith('.js'));
    const parts = files.filter((file) => text(file).includes('PORTAL_REDIS_PASSWORD'));
    expect(parts).toHaveLength(1);
    const serve = files.filter((file) => /^serve-\w+\.js$/.test(file));
    expect(serve).toHaveLength(1);
    for (const file of ['cli.js', ...serve]) expect(loadedWith(file)).not.toContain(parts[0]);
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
