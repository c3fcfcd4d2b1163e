import { chmod, chown, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { RecordDirectory } from '@gateway/files';
import { describe, expect, it } from 'vitest';
import {
  createResourceKey,
  openFileStore,
  readDirectory,
  type StoreState,
} from '../../src/index.ts';
import {
  asOrdinaryUser,
  configurationDirectory,
  opened,
} from '../files/configuration-directory.ts';
import { toolsOf, validOf, workflow, toWorkflowFile } from '../files/workflow-documents.ts';
import { bundledWriter, startWriter } from '../files/writer-process.ts';

bundledWriter();

/** A directory with workflows/, and `a` in it where there is a text. */
const prepared = async (text?: string) => {
  const configuration = await configurationDirectory();
  await mkdir(configuration.at('workflows'));
  if (text !== undefined) await configuration.write('workflows/a.yaml', text);
  return { ...configuration, file: configuration.at('workflows/a.yaml') };
};

/** The one tool that all steps name; more than one is a mix of two versions. */
const toolOf = (state: StoreState): string => validOf(state, 'a').status.referencedTools.join('+');

interface Killed {
  readonly what: string;
  /** The content of the file before the write. */
  readonly text?: string;
  readonly look: (state: StoreState, directory: string) => unknown;
}

/** Processes are started on machines that may have one core. */
const PATIENT = { timeout: 60_000 } as const;

const MOST_STEPS = 20;

/** The files of a dead writer. */
const leftIn = async (directory: string, look: Killed['look']): Promise<unknown> => {
  const store = await openFileStore({ directory });
  const state = store.current();
  await store.close();
  expect(state.problems).toEqual([]);
  const left = await readdir(`${directory}/workflows`);
  expect(left.filter((name) => name !== 'a.yaml')).toEqual([]);
  return look(state, directory);
};

/** Kills a writer that came to each of its steps, in a directory each. @returns what is there afterwards, by step, the last being unharmed */
const killedAtEachStep = async ({ what, text, look }: Killed): Promise<readonly unknown[]> => {
  const directories: string[] = [];
  for (let n = 0; n < MOST_STEPS; n += 1) directories.push((await prepared(text)).directory);
  const { answer, signal } = await startWriter([what, directories.join(':'), 'killed']).ended;
  expect(signal).toBe('SIGKILL');
  const { stepsBefore, done } = answer as { readonly stepsBefore: number; readonly done: unknown };
  expect(done).toEqual(what === 'record' ? null : { kind: 'done' });
  const found: unknown[] = [];
  for (const directory of directories.slice(0, stepsBefore + 1)) {
    found.push(await leftIn(directory, look));
  }
  return found;
};

/** The values in their order, each once while it stays. */
const phases = (values: readonly unknown[]): readonly unknown[] =>
  values.filter((value, index) => index === 0 || value !== values[index - 1]);

describe('a process that is killed at any step of a write leaves the old file or the new one, and nothing else', () => {
  it('of replacing', PATIENT, async () => {
    const results = await killedAtEachStep({
      what: 'replace',
      text: toWorkflowFile('a', 'x_old'),
      look: toolOf,
    });
    expect(phases(results)).toEqual(['x_old', 'x_new']);
    // The comparison with the old file and the rename are one step, which nothing of the process can interrupt.
    expect(results.length).toBe(6);
  });
  it('of creating', PATIENT, async () => {
    const look = (state: StoreState): string => toolsOf(state).join();
    const results = await killedAtEachStep({ what: 'create', look });
    expect(phases(results)).toEqual(['', 'a=x_new']);
    expect(results.length).toBeGreaterThan(6);
  });
  it('of deleting', PATIENT, async () => {
    const look = (state: StoreState): string => toolsOf(state).join();
    const results = await killedAtEachStep({
      what: 'remove',
      text: toWorkflowFile('a', 'x_old'),
      look,
    });
    expect(phases(results)).toEqual(['a=x_old', '']);
  });
  it('of a record', PATIENT, async () => {
    const look = async (_state: StoreState, directory: string) => {
      const records = new RecordDirectory(`${directory}/records`);
      const ids = await records.list();
      const left = await readdir(`${directory}/records`).catch(() => []);
      expect(left).toEqual(ids.map((id) => `${id}.json`));
      return (await records.read('a'))?.trim();
    };
    const results = await killedAtEachStep({ what: 'record', look });
    expect(phases(results)).toEqual([undefined, '"new"']);
    expect(results.length).toBeGreaterThan(3);
  });
});

/** Starts writers together, once all of them have opened the directory. */
const race = async (commands: readonly (readonly string[])[]): Promise<readonly unknown[]> => {
  const writers = commands.map((command) => startWriter(command));
  await Promise.all(writers.map(({ ready }) => ready));
  for (const { child } of writers) child.stdin.end();
  const endings = await Promise.all(writers.map(({ ended }) => ended));
  return endings.map(({ answer }) => answer);
};

describe('two processes', () => {
  it(
    'that edit one workflow end in the version of one of them, and never show a mix',
    PATIENT,
    async () => {
      const { directory, file } = await prepared(toWorkflowFile('a', 'x_old'));
      const store = await opened({ directory });
      const seen = new Set<string>();
      store.subscribe((state) => seen.add(toolOf(state)));
      let isOver = false;
      const hasEnded = (): boolean => isOver;
      const racing = race([
        ['replace-many', directory, 'p', '20'],
        ['replace-many', directory, 'q', '20'],
      ]).finally(() => {
        isOver = true;
      });
      while (!hasEnded()) {
        // Looks a thousand times a second, and leaves the processors to the writers.
        await setTimeout(1);
        const tools = (await readFile(file, 'utf8')).match(/tool: \S+/g) ?? [];
        expect(new Set(tools).size).toBe(1);
        expect([1, 60]).toContain(tools.length);
      }
      await racing;
      const last = toolOf(await readDirectory(directory));
      expect(['x_p_19', 'x_q_19']).toContain(last);
      await expect.poll(() => toolOf(store.current()), { timeout: 60_000 }).toBe(last);
      for (const tool of seen) expect(tool).toMatch(/^x_[pq]_\d+$/);
      expect(await readdir(`${directory}/workflows`)).toEqual(['a.yaml']);
    },
  );
  it('that create the same workflows agree on the creator', PATIENT, async () => {
    const { directory } = await prepared();
    const answers = await race([
      ['create-many', directory, 'p', '8'],
      ['create-many', directory, 'q', '8'],
    ]);
    const [ofP, ofQ] = answers as readonly (readonly { readonly kind: string }[])[];
    const state = await readDirectory(directory);
    expect(state.workflows).toHaveLength(8);
    for (let n = 0; n < 8; n += 1) {
      const kinds = [ofP?.[n]?.kind, ofQ?.[n]?.kind];
      expect(kinds.toSorted()).toEqual(['done', 'exists']);
      const winner = kinds[0] === 'done' ? 'x_p' : 'x_q';
      expect(validOf(state, `w${String(n)}`).status.referencedTools).toEqual([winner]);
    }
  });
});

it('creates without writing over anything where there are no hard links', async () => {
  const { directory } = await prepared();
  const { answer } = await startWriter(['create-without-links', directory]).ended;
  expect(answer).toEqual([{ kind: 'done' }, { kind: 'exists' }]);
  expect(toolOf(await readDirectory(directory))).toBe('x_new');
  expect(await readdir(`${directory}/workflows`)).toEqual(['a.yaml']);
});

describe('a write that finds no room, after half of it is written', () => {
  // No file may be larger than one unit, which is 512 or 1024 bytes.
  const limited = ['sh', '-c', 'ulimit -f 1; exec "$@"', 'sh'];

  it('reports it, retains the old file, and leaves no temporary file', async () => {
    const { directory, file } = await prepared(toWorkflowFile('a', 'x_old'));
    const { answer } = await startWriter(['replace', directory], limited).ended;
    expect(answer).toEqual({
      kind: 'failed',
      text: 'cannot write workflows/a.yaml: the file would be larger than this process may write',
    });
    expect(await readFile(file, 'utf8')).toBe(toWorkflowFile('a', 'x_old'));
    expect(await readdir(`${directory}/workflows`)).toEqual(['a.yaml']);
  });
  it('creates nothing', async () => {
    const { directory } = await prepared();
    const { answer } = await startWriter(['create', directory], limited).ended;
    expect(answer).toMatchObject({ kind: 'failed' });
    expect(await readdir(`${directory}/workflows`)).toEqual([]);
  });
});

describe('a directory that must not be written to', () => {
  it('is refused in plain words, and nothing changes', async () => {
    const { directory, at, file } = await prepared(toWorkflowFile('a', 'x_old'));
    const store = await opened({ directory });
    const before = store.current();
    await chmod(at('workflows'), 0o555);
    const { workflows } = store;
    const results = await asOrdinaryUser(directory, async () => [
      await workflows.create(workflow('b')),
      await workflows.replace(workflow('a')),
      await workflows.remove(createResourceKey('a')),
    ]);
    await chmod(at('workflows'), 0o755);
    expect(results).toEqual([
      { kind: 'failed', text: 'cannot write workflows/b.yaml: permission denied' },
      { kind: 'failed', text: 'cannot write workflows/a.yaml: permission denied' },
      { kind: 'failed', text: 'cannot delete workflows/a.yaml: permission denied' },
    ]);
    expect(store.current()).toBe(before);
    expect(await readdir(at('workflows'))).toEqual(['a.yaml']);
    expect(await readFile(file, 'utf8')).toBe(toWorkflowFile('a', 'x_old'));
  });
  it('may be the one that workflows/ would be made in', async () => {
    const { directory } = await configurationDirectory();
    const store = await opened({ directory });
    await chmod(directory, 0o555);
    const result = await asOrdinaryUser(directory, () => store.workflows.create(workflow('a')));
    await chmod(directory, 0o755);
    expect(result).toEqual({
      kind: 'failed',
      text: 'cannot write workflows/a.yaml: permission denied',
    });
    expect(await readdir(directory)).toEqual(['mcpservers']);
  });
  it('may be one that cannot even be listed', async () => {
    const { directory, at } = await prepared(toWorkflowFile('a'));
    const store = await opened({ directory });
    await chmod(at('workflows'), 0o000);
    const result = await asOrdinaryUser(directory, () =>
      store.workflows.remove(createResourceKey('a')),
    );
    await chmod(at('workflows'), 0o755);
    expect(result).toEqual({
      kind: 'failed',
      text: 'cannot write to workflows/: permission denied',
    });
  });
});

describe('a file that must not be written to', () => {
  it('is not replaced, although its directory would allow it', async () => {
    const { directory, at, file } = await prepared(toWorkflowFile('a', 'x_old'));
    const store = await opened({ directory });
    await chmod(at('workflows'), 0o777);
    await chmod(file, 0o444);
    const replace = () => store.workflows.replace(workflow('a'));
    expect(await asOrdinaryUser(directory, replace)).toEqual({
      kind: 'failed',
      text: 'cannot write workflows/a.yaml: permission denied',
    });
    expect(await readFile(file, 'utf8')).toBe(toWorkflowFile('a', 'x_old'));
  });
  it('or not to be read either', async () => {
    const { directory, at, file } = await prepared(toWorkflowFile('a', 'x_old'));
    const store = await opened({ directory });
    await chmod(at('workflows'), 0o777);
    await chmod(file, 0o200);
    const replace = () => store.workflows.replace(workflow('a'));
    expect(await asOrdinaryUser(directory, replace)).toEqual({
      kind: 'failed',
      text: 'workflows/a.yaml cannot be read: permission denied',
    });
  });
});

it('leaves a file with its owner and group', async () => {
  const { directory, file } = await prepared(toWorkflowFile('a', 'x_old'));
  if (process.getuid?.() === 0) await chown(file, 65_534, 65_534);
  const { uid, gid } = await stat(file);
  const store = await opened({ directory });
  expect(await store.workflows.replace(workflow('a'))).toEqual({ kind: 'done' });
  const after = await stat(file);
  expect([after.uid, after.gid]).toEqual([uid, gid]);
});

it('opens a directory with files of dead writers, and deletes them', async () => {
  const { directory, at } = await prepared(toWorkflowFile('a'));
  const old = '.gateway-00000000-1-0123456789abcdef.tmp';
  await writeFile(at('workflows', old), 'half of a fi');
  await writeFile(at('workflows/.gateway-notes.tmp'), 'mine');
  await utimes(at('workflows', old), 1000, 1000);
  const store = await opened({ directory });
  expect(toolsOf(store.current())).toEqual(['a=x_s_run']);
  expect(await readdir(at('workflows'))).toEqual(['.gateway-notes.tmp', 'a.yaml']);
});
