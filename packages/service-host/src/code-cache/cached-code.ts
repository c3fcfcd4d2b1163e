import { lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { cachedDataVersionTag } from 'node:v8';
// By the module: a Node without `crc32` must still link the program that reports its version.
import zlib from 'node:zlib';
import { attempt } from './attempt.ts';
import { type CacheFolder, isSafeFolder, prepareFolder } from './cache-folder.ts';
import { readApart } from './read-apart.ts';

const SUFFIX = '.code';
const SUM_BYTES = 4;
/** The files that a folder keeps: those of the parts and versions of the program, of Node and of its options that were used last. */
const MAX_FILES = 16;

/** The facts of a build of Node. Code of another one can end the process, and releases with the same V8 have the same tag of V8. */
const nodeBuild = (): string =>
  JSON.stringify([process.version, process.versions, process.platform, process.config.variables]);

/** Names the compiled code of a source: another source, build of Node, processor or option of V8 has another name. */
export const codeName = (source: Uint8Array, build = nodeBuild()): string =>
  [
    zlib.crc32(source).toString(16),
    source.length.toString(16),
    process.arch,
    zlib.crc32(build).toString(16),
    cachedDataVersionTag().toString(16),
  ].join('-') + SUFFIX;

/** Returns the compiled code of this name from the first safe folder that has it, or `undefined`. Never throws. */
export function readCode(
  name: string,
  folders: readonly CacheFolder[],
  program: string,
): Buffer | undefined {
  for (const folder of folders) {
    try {
      if (!isSafeFolder(folder, program)) continue;
      const file = join(folder.path, name);
      const bytes = readApart(file);
      const length = bytes.length - SUM_BYTES;
      // V8 copies code that does not begin at a multiple of eight.
      const code = bytes.subarray(0, Math.max(length, 0));
      if (length > 0 && bytes.readUInt32LE(length) === zlib.crc32(code)) return code;
    } catch {
      // Not there or not readable: the program is compiled.
    }
  }
  return undefined;
}

/** Writes compiled code into the first safe folder that can be written. Other processes see the file whole or not at all. Never throws. */
export function writeCode(
  name: string,
  code: Buffer,
  folders: readonly CacheFolder[],
  program: string,
): void {
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(zlib.crc32(code));
  const bytes = Buffer.concat([code, sum]);
  const folder = folders.find(
    (one) => prepareFolder(one, program) && hasWritten(join(one.path, name), bytes),
  );
  if (folder !== undefined) removeOld(folder.path, join(folder.path, name));
}

/** Writes a file aside and renames it, and returns whether that succeeded. Never throws. */
function hasWritten(file: string, bytes: Buffer): boolean {
  // Processes in containers that share a folder can have the same id.
  const unfinished = `${file}.${process.pid.toString()}${Math.random().toString().slice(1)}`;
  try {
    writeFileSync(unfinished, bytes, { flag: 'wx', mode: 0o600 });
    renameSync(unfinished, file);
    return true;
  } catch {
    attempt(() => {
      rmSync(unfinished, { force: true });
    });
    return false;
  }
}

/** Removes the oldest files except for one, those that were not finished among them. Never throws. */
function removeOld(folder: string, kept: string): void {
  attempt(() => {
    const files = readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((file) => file !== kept)
      .map((file) => ({ file, at: lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((one, other) => other.at - one.at);
    for (const { file } of files.slice(MAX_FILES - 1)) rmSync(file, { force: true });
  });
}
