import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, symlink, utimes } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import type { AgentStore } from '../../src/store/agent-store.ts';
import { toName, modelConfig, NAMESPACE, releaseOf, chartSource } from '../suite/sample-objects.ts';
import { accepted, codeOf, valueOf } from '../suite/agent-store-suite.ts';
import { releaseDirectory, type ReleaseDirectory } from './release-directory.ts';

const SRE = 'releases/default/sre.yaml';
const SRE_NAME = toName('sre');
const json = (value: unknown): string => JSON.stringify(value);
const listNames = async (store: AgentStore): Promise<readonly string[]> =>
  valueOf(await store.listReleases(NAMESPACE)).map(({ object }) => object.metadata.name);
const sre = (text: string): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n${text}`;

/** Returns the reports about one file with this text: to a reader, to a creator, and in the log. */
const saidOf = async (directory: ReleaseDirectory, text: string | Uint8Array) => {
  await directory.write(SRE, text);
  const store = await directory.open();
  const got = await store.getRelease(SRE_NAME);
  expect(await store.listReleases(NAMESPACE)).toEqual(accepted([]));
  expect(codeOf(await store.createRelease(releaseOf('sre')))).toBe('conflict');
  expect(codeOf(await store.replaceRelease(releaseOf('sre'), 'any'))).toBe('conflict');
  if (got.ok) throw new Error(JSON.stringify(got.value));
  expect(directory.warnings).toEqual([`${got.error.message}; it is not listed`]);
  return got.error;
};

describe('a file that holds no release of its name', () => {
  const TWO = 'holds more than one document; write one resource per file';
  const KIND = 'kind must be HelmRelease';
  const GROUP = 'apiVersion must be one of helm.toolkit.fluxcd.io';
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]
d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e]\n`;
  it.each([
    ['an unclosed text', 'a: "b', ':1:6: a closing quote is missing'],
    ['a repeated key', sre('kind: HelmRelease\n'), ':3:1: a key is repeated'],
    ['two documents', 'a: 1\n---\nb: 2\n', `:2:1: ${TWO}`],
    ['nothing', '', ': does not hold a HelmRelease'],
    ['a list', '- a\n', ': does not hold a HelmRelease'],
    ['too much through aliases', bomb, ':1:1: holds more than 200000 values'],
    ['another kind', 'apiVersion: v1\nkind: Secret\n', `:2:1: ${KIND}, not "Secret"`],
    ['a key of the prototype', '__proto__: {kind: HelmRelease}\n', `:1:1: ${KIND}, not nothing`],
    ['another group', 'apiVersion: v1\nkind: HelmRelease\n', `:1:1: ${GROUP}, not "v1"`],
    ['no metadata', sre('spec: {}\n'), ':1:1: metadata must be a mapping'],
    [
      'another name',
      sre('metadata: {name: sra}\n'),
      ':3:12: metadata.name is "sra", and the file is named after "sre"',
    ],
    [
      'another namespace',
      sre('metadata: {name: sre, namespace: tenant}\n'),
      ':3:23: metadata.namespace is "tenant", and the folder is that of "default"',
    ],
    [
      'labels of numbers',
      sre('metadata:\n  name: sre\n  labels: {a: 1}\n'),
      ':5:12: metadata.labels "a" must be a text',
    ],
    ['a list as spec', sre('metadata: {name: sre}\nspec: []\n'), ':4:1: spec must be a mapping'],
    ['other bytes than UTF-8', new Uint8Array([0x61, 0xff]), ' is not valid UTF-8'],
    ['ten megabytes', `# ${'x'.repeat(10_000_000)}`, ' is larger than 4194304 bytes'],
  ])('such as %s is reported with its position', async (_what, text, reason) => {
    const { code, message } = await saidOf(await releaseDirectory(), text);
    expect(code).toBe('backend_error');
    expect(message).toContain(`${SRE}${reason}`);
    expect(message.length).toBeLessThan(200);
  });
  it('such as a link, a pipe or a directory is not opened', async () => {
    const directory = await releaseDirectory();
    await directory.write('releases/default/x', '');
    await directory.write('outside.yaml', json(releaseOf('link')));
    await symlink(directory.at('outside.yaml'), directory.at('releases/default/link.yaml'));
    await mkdir(directory.at('releases/default/folder.yaml'));
    execFileSync('mkfifo', [directory.at('releases/default/pipe.yaml')]);
    const store = await directory.open();
    expect(await store.listReleases(NAMESPACE)).toEqual(accepted([]));
    for (const name of ['link', 'folder', 'pipe']) {
      expect(await store.getRelease(toName(name))).toMatchObject({
        error: { message: `releases/default/${name}.yaml is not a regular file` },
      });
      expect(codeOf(await store.createRelease(releaseOf(name)))).toBe('conflict');
    }
    expect(directory.warnings).toHaveLength(3);
  });
  it('keeps its last valid version in lists, and is reported once per version', async () => {
    const { open, write, replace, warnings } = await releaseDirectory();
    await write(SRE, json(releaseOf('sre')));
    const store = await open();
    const before = valueOf(await store.listReleases(NAMESPACE));
    for (let look = 0; look < 3; look += 1) {
      // A file that is written in place can be read while it is empty.
      await replace(SRE, 'a: "b');
      expect(valueOf(await store.listReleases(NAMESPACE))[0]).toBe(before[0]);
      expect(codeOf(await store.getRelease(SRE_NAME))).toBe('backend_error');
    }
    expect(warnings).toEqual([
      `${SRE}:1:6: a closing quote is missing; its last good version is listed`,
    ]);
    await write(SRE, json(releaseOf('sre', { count: 1 })));
    const release = valueOf(await store.getRelease(SRE_NAME));
    expect(release?.object).toEqual(releaseOf('sre', { count: 1 }));
  });
  it('keeps the source that it may use', async () => {
    const { open, write } = await releaseDirectory();
    await write(SRE, 'a: "b');
    const store = await open();
    valueOf(await store.createSource(chartSource('agent')));
    expect(await store.deleteSource(toName('agent'))).toEqual({
      ok: false,
      error: {
        code: 'conflict',
        message: `conflict: a release that cannot be read may use it (${SRE}:1:6: a closing quote is missing)`,
      },
    });
    expect(valueOf(await store.deleteRelease(SRE_NAME))).toBe(true);
    expect(valueOf(await store.deleteSource(toName('agent')))).toBe(true);
  });
});

describe('names', () => {
  it('lead nowhere else', async () => {
    const { open, write, names } = await releaseDirectory();
    await write('releases/secret.yaml', json(releaseOf('../secret')));
    const store = await open();
    const wrong = ['../secret', '..', '', 'a/b', 'A', '.a', 'a.yaml', 'x'.repeat(64), '__proto__'];
    for (const name of wrong) {
      for (const place of [toName(name), toName('a', name)]) {
        expect(await store.getRelease(place)).toEqual(accepted(undefined));
        const release = releaseOf(place.name, {}, place.namespace);
        expect(codeOf(await store.createRelease(release))).toBe('backend_error');
        expect(codeOf(await store.deleteRelease(place))).toBe('backend_error');
      }
    }
    expect(await names('.')).toEqual(['releases']);
    expect(await names('releases')).toEqual(['secret.yaml']);
  });
  it('of files that are not read are reported', async () => {
    const { open, write, warnings } = await releaseDirectory();
    await write('releases/sre.yaml', '');
    for (const name of ['a.yml', 'B.yaml', 'README.md', '.hidden.yaml'])
      await write(`releases/default/${name}`, '');
    const store = await open();
    expect(valueOf(await store.listReleases(NAMESPACE))).toEqual([]);
    expect(warnings).toEqual([
      'releases/sre.yaml is not read: a HelmRelease is in a file releases/<namespace>/<name>.yaml',
      'releases/default/B.yaml is not read: a HelmRelease is in a file releases/default/<name>.yaml',
      'releases/default/a.yml is not read: a HelmRelease is in a file releases/default/<name>.yaml',
    ]);
  });
});

describe('folders', () => {
  it('may come, go and be replaced', async () => {
    const { open, write, at: pathOf } = await releaseDirectory();
    const store = await open();
    const listed = () => listNames(store);
    expect(await listed()).toEqual([]);
    for (let round = 0; round < 3; round += 1) {
      await write('releases/default/a.yaml', json(releaseOf('a')));
      expect(await listed()).toEqual(['a']);
      await write('other/b.yaml', json(releaseOf('b')));
      await rm(pathOf('releases'), { recursive: true });
      expect(await listed()).toEqual([]);
      await mkdir(pathOf('releases'));
      await rename(pathOf('other'), pathOf('releases/default'));
      expect(await listed()).toEqual(['b']);
      await write('releases/default/c.yaml', json(releaseOf('c')));
      expect(await listed()).toEqual(['b', 'c']);
      await rm(pathOf('releases/default'), { recursive: true });
    }
    await rm(pathOf('.'), { recursive: true });
    expect(await store.listReleases(NAMESPACE)).toMatchObject({
      error: {
        code: 'backend_error',
        message: 'releases/default/ cannot be read: the directory of releases does not exist',
      },
    });
    expect(codeOf(await store.createRelease(releaseOf('a')))).toBe('backend_error');
  });
  it('leave their namespace to files that name none, also when those are changed', async () => {
    const { open, write, read } = await releaseDirectory();
    const text = sre('metadata:\n  name: sre # mine\nspec:\n  interval: 10m\n');
    await write(SRE, text);
    const store = await open();
    const release = valueOf(await store.getRelease(SRE_NAME));
    expect(release?.object.metadata).toEqual(SRE_NAME);
    const next = { ...releaseOf('sre'), metadata: { ...SRE_NAME }, spec: { interval: '5m' } };
    valueOf(await store.replaceRelease(next, release?.revision ?? ''));
    expect(await read(SRE)).toBe(text.replace('10m', '5m'));
  });
});

it('sees a change that fell out of the line of reports, which holds so many', async () => {
  const { open, write, at: pathOf } = await releaseDirectory();
  await write(SRE, json(releaseOf('sre')));
  const store = await open();
  expect(valueOf(await store.listReleases(NAMESPACE))).toHaveLength(1);
  const names = [pathOf('releases/default/x'), pathOf('releases/default/y')] as const;
  await write('releases/default/x', '');
  // In one turn, so that nothing is delivered meanwhile.
  for (let n = 0; n < 5_000; n += 1) {
    renameSync(...names);
    renameSync(names[1], names[0]);
  }
  writeFileSync(pathOf(SRE), json(releaseOf('sre', { count: 1 })));
  const [listed] = valueOf(await store.listReleases(NAMESPACE));
  expect(listed?.object).toEqual(releaseOf('sre', { count: 1 }));
});

describe('models', () => {
  it('may share a file with others and with other objects, without a namespace', async () => {
    const { open, write, warnings } = await releaseDirectory();
    const { metadata: _metadata, ...rest } = modelConfig('b');
    const unplaced = { ...rest, metadata: { name: 'b' } };
    const secret = { kind: 'Secret', apiVersion: 'v1' };
    const documents = [modelConfig('z'), unplaced, secret, modelConfig('t', 'tenant')];
    await write('modelconfigs/all.yml', documents.map(json).join('\n---\n'));
    const store = await open();
    const names = async (namespace: string) =>
      valueOf(await store.modelConfigs(namespace)).listed.map(({ metadata }) => metadata.name);
    expect(await names('default')).toEqual(['b', 'z']);
    expect(await names('tenant')).toEqual(['t']);
    expect(valueOf(await store.modelConfigs('other'))).toEqual({ listed: [], isOpen: true });
    expect(warnings).toEqual([]);
  });
  it('are not guessed when a file cannot be read', async () => {
    const { open, write, at: pathOf, warnings } = await releaseDirectory();
    await write('modelconfigs/a.yaml', 'a: "b');
    const store = await open();
    expect(await store.modelConfigs(NAMESPACE)).toMatchObject({
      error: {
        code: 'backend_error',
        message: 'modelconfigs/a.yaml:1:6: a closing quote is missing',
      },
    });
    await write('modelconfigs/a.yaml', json(modelConfig('sonnet')));
    await utimes(pathOf('modelconfigs/a.yaml'), 1000, 1000);
    const before = valueOf(await store.modelConfigs(NAMESPACE));
    expect(before).toEqual({ listed: [modelConfig('sonnet')], isOpen: false });
    await write('modelconfigs/a.yaml', 'a: "c');
    expect(valueOf(await store.modelConfigs(NAMESPACE))).toEqual(before);
    expect(warnings).toHaveLength(2);
  });
});

it('reports a change by another process without a read', async () => {
  const { open, write } = await releaseDirectory();
  const store = await open();
  const changes: unknown[] = [];
  store.watch([NAMESPACE], (change) => changes.push(change));
  await write(SRE, json(releaseOf('sre')));
  await vi.waitFor(() => {
    expect(changes).toEqual([{ kind: 'HelmRelease', object: SRE_NAME, change: 'written' }]);
  }, 60_000);
});
