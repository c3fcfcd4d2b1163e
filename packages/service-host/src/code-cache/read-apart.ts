/// <reference lib="es2024.arraybuffer" />
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** The most bytes of a file of a program or of its code. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Bytes around those of a file. */
interface Frame {
  readonly before: Buffer;
  readonly after: Buffer;
}

const NOTHING: Frame = { before: Buffer.alloc(0), after: Buffer.alloc(0) };

/** Returns bytes in pages of their own: V8 allocates a buffer that could be resized without `malloc`. */
const pagesOf = (size: number): Buffer =>
  Buffer.from(new ArrayBuffer(size, { maxByteLength: size }));

/**
 * Returns the bytes of a file, with others around them, in memory that the system gets back as soon as nothing uses them. After the
 * first release of a block of several MB from `malloc`, glibc keeps all later blocks of up to this size in its heap, which does not shrink: 30 MB
 * more would stay resident.
 *
 * @throws {TypeError} when it is no file
 * @throws {RangeError} when the file has more than 64 MiB
 * @throws {Error} of the file system, also when the file becomes shorter meanwhile
 */
export function readApart(file: string, { before, after }: Frame = NOTHING): Buffer {
  // Otherwise a pipe in place of the file would block until something writes to it.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new TypeError(`${file} is no file`);
    const { size } = stats;
    if (size > MAX_BYTES) throw new RangeError(`${file} has more than 64 MiB`);
    const bytes = pagesOf(before.length + size + after.length);
    before.copy(bytes);
    readWhole(descriptor, bytes.subarray(before.length, before.length + size));
    after.copy(bytes, before.length + size);
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

function readWhole(descriptor: number, into: Buffer): void {
  for (let read = 0; read < into.length;) {
    const count = readSync(descriptor, into, read, into.length - read, read);
    if (count === 0) throw new Error('the file became shorter while it was read');
    read += count;
  }
}
