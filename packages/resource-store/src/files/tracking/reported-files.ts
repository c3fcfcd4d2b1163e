import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { mountPoints } from '@gateway/files';
import type { Sighting } from './scan-directory.ts';

const isMounted = async (files: readonly string[]): Promise<boolean> => {
  const points = await mountPoints();
  const folders = new Set(files.map((file) => path.dirname(file)));
  const places = new Map(
    await Promise.all(
      [...folders].map(async (folder) => [folder, await realpath(folder)] as const),
    ),
  );
  return files.some((file) => {
    const place = places.get(path.dirname(file));
    return place === undefined || points.has(path.join(place, path.basename(file)));
  });
};

/**
 * Returns whether watches of their directories report every change of these files, on a file system that reports changes. Links, files with
 * several names and files that are mounted by themselves change elsewhere.
 */
export const areReported = async (sightings: Iterable<Sighting>): Promise<boolean> => {
  const files = [...sightings];
  if (!files.every(({ isPlain }) => isPlain)) return false;
  try {
    return !(await isMounted(files.map(({ file }) => file)));
  } catch {
    return false;
  }
};
