import { describe, expect, it } from 'vitest';
import { isPrivateFile } from '../src/private-file.ts';

const FILE = 0o100_000;
const ROOT = 0;
const GATEWAY = 65_532;

const modesOf = (uid: number, user: number): readonly number[] =>
  [0o400, 0o600, 0o440, 0o640, 0o460, 0o444, 0o604, 0o650, 0o700].filter((mode) =>
    isPrivateFile({ mode: FILE | mode, uid }, user),
  );

describe('a file', () => {
  it('is private when its owner alone has access', () => {
    expect(modesOf(GATEWAY, GATEWAY)).toEqual([0o400, 0o600]);
    expect(modesOf(ROOT, ROOT)).toEqual([0o400, 0o600]);
  });

  it('of root is private when the group can read it, for a process of another user', () => {
    expect(modesOf(ROOT, GATEWAY)).toEqual([0o400, 0o600, 0o440, 0o640]);
  });
});
