import { chmod, chown, mkdir, readdir, stat, utimes } from 'node:fs/promises';
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
  contentOf,
  follow,
  openedDirectory,
} from '../files/configuration-directory.ts';
import { validOf, workflow, toWorkflowFile } from '../files/workflow-documents.ts';
import { bundledWriter, startWriter } from '../files/writer-process.ts';

bundledWriter();

const A = 'workflows/a.yaml';
const OLD = toWorkflowFile('a', 'x_old');
const failed = (text: string) => ({ kind: 'failed', text });

/** A directory with workflows/, and `a` in it where there is a text. */
const prepared = async (text?: string) => {
  const configuration = await configurationDirectory(text === undefined ? {} : { [A]: text });
  await mkdir(configuration.at('workflows'), { recursive: true });
  return configuration;
};

/** A store of a directory with the workflow `a`. */
const followed = async () => {
  const directory = await openedDirectory({ [A]: OLD });
  const { workflows } = directory.store;
  return {
    ...directory,
    create: (name: string) => workflows.create(workflow(name)),
    replace: () => workflows.replace(workflow('a')),
    remove: () => workflows.remove(createResourceKey('a')),
    as: <T>(task: () => Promise<T>) => asOrdinaryUser(directory.directory, task),
  };
};

/** The one tool that all steps name; more than one is a mix of two versions. */
const toolOf = (state: StoreState): string => validOf(state, 'a').status.referencedTools.join('+');

/** The content of a directory. */
const look = (state: StoreState): unknown => contentOf(state).join();

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

const KILLED = [
  // The comparison with the old file and the rename are one step, which nothing of the process can interrupt.
  { what: 'replace', text: OLD, phases: ['a=x_old', 'a=x_new'], steps: [6, 6] },
  { what: 'create', phases: ['', 'a=x_new'], steps: [7, 20] },
  { what: 'remove', text: OLD, phases: ['a=x_old', ''], steps: [1, 20] },
];

describe('a process that is killed at any step of a write leaves the old file or the new one, and nothing else', () => {
  it.each(KILLED)('of $what', PATIENT, async ({ phases: expected, steps, ...killed }) => {
    const results = await killedAtEachStep({ ...killed, look });
    expect(phases(results)).toEqual(expected);
    expect(results.length).toBeGreaterThanOrEqual(steps[0] ?? NaN);
    expect(results.length).toBeLessThanOrEqual(steps[1] ?? NaN);
  });
  it('of a record', PATIENT, async () => {
    const lookAtRecords = async (_state: StoreState, directory: string) => {
      const records = new RecordDirectory(`${directory}/records`);
      const ids = await records.list();
      const left = await readdir(`${directory}/records`).catch(() => []);
      expect(left).toEqual(ids.map((id) => `${id}.json`));
      return (await records.read('a'))?.trim();
    };
    const results = await killedAtEachStep({ what: 'record', look: lookAtRecords });
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
      const { directory, store, text } = await followed();
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
        const tools = (await text(A)).match(/tool: \S+/g) ?? [];
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
    const { directory, text, files } = await prepared(OLD);
    const { answer } = await startWriter(['replace', directory], limited).ended;
    expect(answer).toEqual(
      failed('cannot write workflows/a.yaml: the file would be larger than this process may write'),
    );
    expect([await text(A), await files('workflows')]).toEqual([OLD, ['a.yaml']]);
  });
  it('creates nothing', async () => {
    const { directory, files } = await prepared();
    const { answer } = await startWriter(['create', directory], limited).ended;
    expect([answer, await files('workflows')]).toMatchObject([{ kind: 'failed' }, []]);
  });
});

describe('a directory that must not be written to', () => {
  it('is refused in plain words, and nothing changes', async () => {
    const { at, store, create, replace, remove, as, text, files } = await followed();
    const before = store.current();
    await chmod(at('workflows'), 0o555);
    const results = await as(async () => [await create('b'), await replace(), await remove()]);
    await chmod(at('workflows'), 0o755);
    expect(results).toEqual([
      failed('cannot write workflows/b.yaml: permission denied'),
      failed('cannot write workflows/a.yaml: permission denied'),
      failed('cannot delete workflows/a.yaml: permission denied'),
    ]);
    expect(store.current()).toBe(before);
    expect([await text(A), await files('workflows')]).toEqual([OLD, ['a.yaml']]);
  });
  it('may be the one that workflows/ would be made in', async () => {
    const { directory, store, files } = await openedDirectory();
    await chmod(directory, 0o555);
    const result = await asOrdinaryUser(directory, () => store.workflows.create(workflow('a')));
    await chmod(directory, 0o755);
    expect(result).toEqual(failed('cannot write workflows/a.yaml: permission denied'));
    expect(await files('')).toEqual(['mcpservers']);
  });
  it('may be one that cannot even be listed', async () => {
    const { at, remove, as } = await followed();
    await chmod(at('workflows'), 0o000);
    const result = await as(remove);
    await chmod(at('workflows'), 0o755);
    expect(result).toEqual(failed('cannot write to workflows/: permission denied'));
  });
});

it.each([
  ['written to', 0o444, 'cannot write workflows/a.yaml: permission denied'],
  ['read', 0o200, 'workflows/a.yaml cannot be read: permission denied'],
])('does not replace a file that must not be %s in a directory that may', async (_, mode, line) => {
  const { at, replace, as, text } = await followed();
  await chmod(at('workflows'), 0o777);
  await chmod(at(A), mode);
  expect(await as(replace)).toEqual(failed(line));
  expect(await text(A)).toBe(OLD);
});

it('leaves a file with its owner and group', async () => {
  const { at, replace } = await followed();
  if (process.getuid?.() === 0) await chown(at(A), 65_534, 65_534);
  const { uid, gid } = await stat(at(A));
  expect(await replace()).toEqual({ kind: 'done' });
  expect(await stat(at(A))).toMatchObject({ uid, gid });
});

it('opens a directory with files of dead writers, and deletes them', async () => {
  const old = 'workflows/.gateway-00000000-1-0123456789abcdef.tmp';
  const left = { [old]: 'half of a fi', 'workflows/.gateway-notes.tmp': 'mine' };
  const configuration = await configurationDirectory({ [A]: OLD, ...left });
  await utimes(configuration.at(old), 1000, 1000);
  const { content, files } = await follow(configuration);
  expect(content()).toEqual(['a=x_old']);
  expect(await files('workflows')).toEqual(['.gateway-notes.tmp', 'a.yaml']);
});
