import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The files of a volume: contents by path. */
export type VolumeFiles = Readonly<Record<string, string>>;

/**
 * Lays files out as Kubernetes mounts ConfigMaps: the names are links into `..data`, itself a link to a folder of one version.
 * Writing again makes a new folder, and turns `..data` to it in one step. The previous contents are removed.
 */
export function configVolume(folder: string): (files: VolumeFiles) => void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let version = 0;
  const linked = new Set<string>();
  return (files) => {
    const data = `..2026_11_21_${String((version += 1))}`;
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, data, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    symlinkSync(data, join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    rmSync(join(folder, `..2026_11_21_${String(version - 1)}`), { recursive: true, force: true });
    for (const top of Object.keys(files).map((path) => path.split('/')[0] ?? '')) {
      if (!linked.has(top)) symlinkSync(`..data/${top}`, join(folder, top));
      linked.add(top);
    }
  };
}
