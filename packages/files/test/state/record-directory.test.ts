import { chmod, mkdir, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { RecordDirectory } from '../../src/index.ts';
import { asOrdinaryUser, temporaryDirectory } from '../temporary-directory.ts';

/** Records in a directory that does not exist yet. */
const records = async () => {
  const { directory, at } = await temporaryDirectory();
  return { directory, at, blobs: new RecordDirectory(at('deep/records')) };
};

const ID = '3f2c0d5e-1a2b-4c3d-8e9f-0123456789ab';

describe('a record', () => {
  it('is written, read, listed and removed', async () => {
    const { at, blobs } = await records();
    const text = '{"a":"\u{1F600}\\n"}\n';
    await blobs.write(ID, text);
    expect(await blobs.read(ID)).toBe(text);
    expect(await blobs.list()).toEqual([ID]);
    expect(await readdir(at('deep/records'))).toEqual([`${ID}.json`]);
    await blobs.remove(ID);
    expect(await blobs.read(ID)).toBe(undefined);
    expect(await blobs.list()).toEqual([]);
  });
  it('is found when the directory is opened again, by its owner only', async () => {
    const { at, blobs } = await records();
    await blobs.write(ID, 'one');
    await blobs.write(ID, 'two');
    expect(await new RecordDirectory(at('deep/records')).read(ID)).toBe('two');
    expect((await stat(at(`deep/records/${ID}.json`))).mode & 0o777).toBe(0o600);
    expect((await stat(at('deep/records'))).mode & 0o777).toBe(0o700);
  });
  it('has at most 8 MiB', async () => {
    const { blobs } = await records();
    const largest = 'x'.repeat(8_388_608);
    await blobs.write(ID, largest);
    expect((await blobs.read(ID))?.length).toBe(8_388_608);
    await expect(blobs.write(ID, `${largest}x`)).rejects.toThrow(
      `record ${ID} is larger than 8388608 bytes`,
    );
    expect((await blobs.read(ID))?.length).toBe(8_388_608);
  });
  it('has the last of many concurrent writes', async () => {
    const { at, blobs } = await records();
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => blobs.write(ID, `version ${String(n)}`)),
    );
    expect(await blobs.read(ID)).toBe('version 49');
    await Promise.all([blobs.write(ID, 'more'), blobs.remove(ID)]);
    expect(await blobs.read(ID)).toBe(undefined);
    await Promise.all([blobs.remove(ID), blobs.write(ID, 'again')]);
    expect(await blobs.read(ID)).toBe('again');
    expect(await readdir(at('deep/records'))).toEqual([`${ID}.json`]);
  });
  it('is read whole during a concurrent write', async () => {
    const { at, blobs } = await records();
    const reader = new RecordDirectory(at('deep/records'));
    const version = (n: number): string => String(n % 10).repeat(200_000 + n);
    await blobs.write(ID, version(0));
    let isDone = false;
    const hasEnded = (): boolean => isDone;
    const writing = (async () => {
      for (let n = 1; n < 60; n += 1) await blobs.write(ID, version(n));
      isDone = true;
    })();
    const seen = new Set<string>();
    while (!hasEnded()) {
      const text = (await reader.read(ID)) ?? 'nothing';
      expect(new Set(text).size).toBe(1);
      expect(text.length).toBeGreaterThanOrEqual(200_000);
      seen.add(text.slice(0, 1));
    }
    await writing;
    expect(seen.size).toBeGreaterThan(1);
  });
  it('is one of many', async () => {
    const { blobs } = await records();
    const ids = Array.from({ length: 300 }, (_, n) => `r${String(n).padStart(3, '0')}`);
    await Promise.all(ids.map((id) => blobs.write(id, id)));
    expect((await blobs.list()).toSorted()).toEqual(ids);
    expect(await Promise.all(ids.map(blobs.read))).toEqual(ids);
  });
});

describe('an id', () => {
  const wrong = [
    ...['', '.', '..', '../x', '/etc/passwd', 'a/b', 'a\\b', '.a', '-a', 'a.b', 'a b', 'a\u0000'],
    ...['a\n', '\u{1F600}', '__proto__', 'x'.repeat(129), 'x'.repeat(10_000_000)],
  ];
  it.each(wrong.map((id) => [id.slice(0, 20), id]))('is not %j', async (_shown, id) => {
    const { directory, at, blobs } = await records();
    await writeFile(at('x.json'), 'outside');
    await expect(blobs.write(id, 'text')).rejects.toThrow('not an id that a record can have');
    expect(await blobs.read(id)).toBe(undefined);
    await blobs.remove(id);
    expect((await readdir(directory)).toSorted()).toEqual(['x.json']);
  });
  it.each(['a', '0', 'constructor', 'A_b-C', 'x'.repeat(128), ID])('may be %s', async (id) => {
    const { blobs } = await records();
    await blobs.write(id, 'text');
    expect(await blobs.list()).toEqual([id]);
    expect(await blobs.read(id)).toBe('text');
  });
});

describe('a directory of records', () => {
  it('may be missing: nothing is listed, read, removed or created', async () => {
    const { directory, blobs } = await records();
    expect(await blobs.list()).toEqual([]);
    expect(await blobs.read(ID)).toBe(undefined);
    await blobs.remove(ID);
    expect(await readdir(directory)).toEqual([]);
  });
  it('is created again after it was deleted', async () => {
    const { at, blobs } = await records();
    await blobs.write('a', 'one');
    await rm(at('deep'), { recursive: true });
    expect(await blobs.list()).toEqual([]);
    await blobs.write('b', 'two');
    expect(await blobs.list()).toEqual(['b']);
  });
  it('ignores other files', async () => {
    const { at, blobs } = await records();
    await blobs.write(ID, 'mine');
    const records_ = at('deep/records');
    await mkdir(`${records_}/folder.json`);
    await symlink('/etc/passwd', `${records_}/link.json`);
    execFileSync('mkfifo', [`${records_}/pipe.json`]);
    await writeFile(`${records_}/notes.txt`, 'theirs');
    await writeFile(`${records_}/.hidden.json`, 'theirs');
    await writeFile(`${records_}/bytes.json`, Uint8Array.of(0xff));
    await writeFile(`${records_}/huge.json`, Buffer.alloc(8_388_609, 'x'));
    expect((await blobs.list()).toSorted()).toEqual([ID, 'bytes', 'huge'].toSorted());
    for (const id of ['folder', 'link', 'pipe', 'notes', 'bytes', 'huge']) {
      expect(await blobs.read(id)).toBe(undefined);
    }
    expect(await readdir(records_)).toHaveLength(8);
  });
  it('is cleaned of the temporary files of ended processes on its first use', async () => {
    const { at, blobs } = await records();
    await mkdir(at('deep/records'), { recursive: true });
    const left = at('deep/records/.gateway-00000000-1-0123456789abcdef.tmp');
    await writeFile(left, 'half');
    await utimes(left, 1000, 1000);
    expect(await blobs.list()).toEqual([]);
    expect(await readdir(at('deep/records'))).toEqual([]);
  });
  it('without write permission rejects writes, preserves its records and has no temporary files', async () => {
    const { directory, at } = await records();
    const records_ = at('open');
    await mkdir(records_);
    const blobs = new RecordDirectory(records_);
    await blobs.write(ID, 'old');
    await chmod(records_, 0o555);
    await asOrdinaryUser(directory, async () => {
      await expect(blobs.write(ID, 'new')).rejects.toThrow('EACCES');
      await expect(blobs.write('other', 'new')).rejects.toThrow('EACCES');
      await expect(blobs.remove(ID)).rejects.toThrow('EACCES');
    });
    await chmod(records_, 0o755);
    expect(await readdir(records_)).toEqual([`${ID}.json`]);
    expect(await blobs.read(ID)).toBe('old');
    await blobs.write(ID, 'new');
    expect(await blobs.read(ID)).toBe('new');
  });
  it('without read permission rejects reads', async () => {
    const { directory, at } = await records();
    const records_ = at('open');
    const blobs = new RecordDirectory(records_);
    await blobs.write(ID, 'old');
    await chmod(`${records_}/${ID}.json`, 0o000);
    await chmod(records_, 0o755);
    await asOrdinaryUser(directory, async () => {
      await expect(blobs.read(ID)).rejects.toThrow(
        `record ${ID} cannot be read: permission denied`,
      );
    });
    await chmod(records_, 0o000);
    await asOrdinaryUser(directory, async () => {
      await expect(blobs.list()).rejects.toThrow('EACCES');
    });
    await chmod(records_, 0o755);
  });
  it('does not replace a file at its path', async () => {
    const { at } = await records();
    await writeFile(at('file'), 'mine');
    const blobs = new RecordDirectory(at('file'));
    await expect(blobs.write(ID, 'x')).rejects.toThrow('ENOTDIR');
    await expect(blobs.list()).rejects.toThrow('ENOTDIR');
  });
});
