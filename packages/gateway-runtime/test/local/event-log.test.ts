import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { EventRecorder } from '@gateway/events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEventLog } from '../../src/local/record-events.ts';

let base = '';
let directory = '';
beforeEach(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), 'event-log-'));
  directory = path.join(base, 'events');
});
afterEach(() => rm(base, { recursive: true, force: true }));

const warnings: string[] = [];
const recorderOf = (limits: Parameters<typeof openEventLog>[1] = {}): EventRecorder => {
  warnings.length = 0;
  return new EventRecorder({
    lines: openEventLog(directory, { gatherMs: 0, retryMs: 1, ...limits }),
    now: () => 1_000,
    warn: (text) => warnings.push(text),
  });
};

const reasons = async (recorder: EventRecorder): Promise<readonly string[]> =>
  (await recorder.query({})).map(({ reason, count }) => `${reason} ${String(count)}`);

const FILE = 'mcpserver-00000001.jsonl';

describe('openEventLog', () => {
  it('preserves events over restarts, with their counts and numbers', async () => {
    const first = recorderOf();
    first.emit({ reason: 'MCPServerStarting', name: 'a' });
    first.emit({ reason: 'WorkflowDeleted', name: 'w' });
    first.emit({ reason: 'MCPServerStarting', name: 'a' });
    await first.close();
    const second = recorderOf();
    expect(await reasons(second)).toEqual(['MCPServerStarting 2', 'WorkflowDeleted 1']);
    second.emit({ reason: 'MCPServerStarting', name: 'a' });
    await second.settle();
    expect((await second.query({}))[0]).toMatchObject({ id: 4, count: 3 });
    await second.close();
    expect(warnings).toEqual([]);
    expect((await stat(path.join(directory, FILE))).mode & 0o777).toBe(0o600);
  });

  it('reads the events around incomplete and foreign lines, and appends after an incomplete line', async () => {
    const first = recorderOf();
    first.emit({ reason: 'MCPServerStarting', name: 'a' });
    await first.close();
    const file = path.join(directory, FILE);
    await appendFile(file, Buffer.from([0x7b, 0xff, 0xfe, 0x0a]));
    await appendFile(file, '{"id":9007199254740991,"kind":"MCPServer"}\n{"id":7,"ki');
    const second = recorderOf();
    await second.load();
    second.emit({ reason: 'MCPServerStarted', name: 'a' });
    await second.close();
    expect(await reasons(recorderOf())).toEqual(['MCPServerStarted 1', 'MCPServerStarting 1']);
    expect((await readFile(file, 'utf8')).split('\n').at(-2)).toContain('"id":2,');
  });

  it('limits the number of files and retains the newest events', async () => {
    const recorder = recorderOf({ segmentBytes: 1_000, maxSegments: 2 });
    await recorder.load();
    for (let n = 1; n <= 40; n += 1) {
      recorder.emit({ reason: 'MCPServerStarting', name: `s${String(n)}` });
      await recorder.settle();
    }
    await recorder.close();
    const files = await readdir(directory);
    expect(files.length).toBeLessThanOrEqual(2);
    for (const file of files) {
      expect((await stat(path.join(directory, file))).size).toBeLessThan(1_300);
    }
    const [newest] = await recorderOf().query({});
    expect(newest).toMatchObject({ id: 40, name: 's40' });
  });

  it('continues in memory when writes fail, warns once, and stores everything later', async () => {
    await writeFile(directory, 'a file in the place of the directory');
    const recorder = recorderOf();
    recorder.emit({ reason: 'MCPServerStarting', name: 'a' });
    await recorder.settle();
    recorder.emit({ reason: 'MCPServerStarted', name: 'a' });
    await recorder.settle();
    expect(await reasons(recorder)).toEqual(['MCPServerStarted 1', 'MCPServerStarting 1']);
    expect(warnings.filter((text) => text.startsWith('Events cannot be stored'))).toHaveLength(1);
    await rm(directory);
    await recorder.settle();
    expect(await reasons(recorderOf())).toEqual(['MCPServerStarted 1', 'MCPServerStarting 1']);
  });

  it('does not follow a symbolic link', async () => {
    await mkdir(directory);
    const target = path.join(base, 'target');
    await writeFile(target, '');
    await symlink(target, path.join(directory, FILE));
    const recorder = recorderOf();
    recorder.emit({ reason: 'MCPServerStarting', name: 'a' });
    await recorder.close();
    expect(await readFile(target, 'utf8')).toBe('');
    expect(warnings[0]).toMatch(/^Stored events of the kind MCPServer cannot be read: ELOOP/u);
  });

  it('creates its directory with access for its own user only, and again after it is removed', async () => {
    const recorder = recorderOf();
    recorder.emit({ reason: 'MCPServerStarting', name: 'a' });
    await recorder.settle();
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    await rm(directory, { recursive: true });
    recorder.emit({ reason: 'MCPServerStarted', name: 'a' });
    await recorder.close();
    expect(await readdir(directory)).toEqual([FILE]);
  });
});
