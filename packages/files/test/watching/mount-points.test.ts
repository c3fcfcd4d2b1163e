import { expect, it } from 'vitest';
import { mountPointsIn } from '../../src/directory-watch.ts';

const LINES = `22 29 0:20 / /sys rw,nosuid - sysfs sysfs rw
36 35 98:0 /mnt1 /mnt/my\\040files/config.yaml rw,noatime master:1 - ext3 /dev/root rw,errors=continue
37 35 98:0 / /back\\134slash rw - ext4 /dev/root rw
`;

it('reads the fifth field of each line, whose blanks and backslashes are octal numbers', () => {
  expect(mountPointsIn(LINES)).toEqual(
    new Set(['/sys', '/mnt/my files/config.yaml', '/back\\slash']),
  );
});

it('finds none in an empty list', () => {
  expect(mountPointsIn('')).toEqual(new Set());
});
