import type { ExecutionRecord } from '@gateway/crd-schemas';
import { describe, expect, it } from 'vitest';

/** The operations of both storages of records. */
export interface ContractBlobs {
  readonly list: () => Promise<readonly string[]>;
  readonly read: (id: string) => Promise<string | undefined>;
  readonly write: (id: string, text: string, summary: string) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

/** A storage of records, and the same after the end of its process. */
export interface RecordStorage {
  readonly blobs: ContractBlobs;
  readonly again: () => ContractBlobs;
}

const ID = '3f2c0d5e-1a2b-4c3d-8e9f-0123456789ab';
const times = { started_at: '2026-11-21T12:00:00.000Z', completed_at: '2026-11-21T12:00:00.012Z' };

/** A record of a completed run. */
export const recordOf = (id: string, more: Partial<ExecutionRecord> = {}): ExecutionRecord => ({
  ...{ execution_id: id, workflow_name: 'sync', status: 'completed', ...times, duration_ms: 12 },
  ...{ input: {}, steps: [] },
  ...more,
});

/** Values that JSON has, and that a YAML parser or a structured store may change. */
const AWKWARD = {
  none: null,
  big: 1e21,
  small: 5e-324,
  exact: 9007199254740991,
  '': [[], {}, [null]],
  '<<': { merge: 'key' },
  __proto__x: 'y',
  text: 'a\u0000b\u0007\u007f\u0085\u2028\u2029\ufeff\uffff"\\ \u{1F600} yes no 08 1.20 ~',
  deep: JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`) as null,
};

const put = (blobs: ContractBlobs, record: ExecutionRecord): Promise<void> =>
  blobs.write(record.execution_id, JSON.stringify(record), '{}');

const get = async (blobs: ContractBlobs, id: string): Promise<unknown> => {
  const text = await blobs.read(id);
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
};

/** The rules of every storage of records. */
export const recordContract = (title: string, open: () => Promise<RecordStorage>): void => {
  describe(`records in ${title}`, () => {
    it('are written, read, also by the next process, listed and removed', async () => {
      const { blobs, again } = await open();
      expect([await blobs.list(), await get(blobs, ID)]).toEqual([[], undefined]);
      await put(blobs, recordOf(ID));
      for (const process of [blobs, again(), again()])
        expect([await process.list(), await get(process, ID)]).toEqual([[ID], recordOf(ID)]);
      await blobs.remove(ID);
      await blobs.remove(ID);
      expect([await blobs.list(), await get(blobs, ID)]).toEqual([[], undefined]);
    });

    it('are replaced whole', async () => {
      const { blobs } = await open();
      const running = { status: 'inprogress', duration_ms: 0 } as const;
      await put(blobs, recordOf(ID, { ...running, input: { a: 1, b: 2 } }));
      const ended = recordOf(ID, { input: { b: 3 }, result: [1], error: 'no', truncated: true });
      await put(blobs, ended);
      expect(await get(blobs, ID)).toEqual(ended);
      await put(blobs, recordOf(ID));
      expect(await get(blobs, ID)).toEqual(recordOf(ID));
    });

    it('come back with every value of JSON', async () => {
      const { blobs } = await open();
      const step = {
        ...({ step_id: 'a', iteration: 0, tool: 'x_\u0085', status: 'failed', ...times } as const),
        ...{ duration_ms: 1, input: AWKWARD, result: AWKWARD, error: AWKWARD.text, stored_as: 'a' },
      };
      const record = recordOf(ID, {
        ...{ input: AWKWARD, result: null, error: AWKWARD.text, steps: [step, step] },
        started_by: { issuer: 'https://id.example', subject: AWKWARD.text },
        omitted_steps: { completed: 1, failed: 2, skipped: 3 },
      });
      await put(blobs, record);
      expect(await get(blobs, ID)).toEqual(record);
    });

    it('may have 256 KiB of quotation marks, which are twice as many as text', async () => {
      const { blobs } = await open();
      const record = recordOf(ID, { result: '"'.repeat(131_000), steps: [] });
      expect(JSON.stringify(record).length).toBeGreaterThan(262_000);
      await put(blobs, record);
      expect(await get(blobs, ID)).toEqual(record);
    });

    it('are many', async () => {
      const { blobs } = await open();
      const ids = Array.from({ length: 30 }, (_, at) => `run-${String(at).padStart(2, '0')}`);
      await Promise.all(ids.map((id) => put(blobs, recordOf(id))));
      expect((await blobs.list()).toSorted()).toEqual(ids);
    });

    it.each(['', '.', '..', '../x', 'a/b', 'a b', '-a', 'a\n', 'x'.repeat(300)])(
      'do not have the id %j',
      async (id) => {
        const { blobs } = await open();
        await expect(put(blobs, recordOf(id))).rejects.toThrow('not an id that a record can have');
        expect(await blobs.read(id)).toBe(undefined);
        await blobs.remove(id);
      },
    );
  });
};
