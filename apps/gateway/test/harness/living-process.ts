import { readdirSync, readFileSync } from 'node:fs';

/** Returns whether the process runs; false for a zombie. Linux only. */
export function isRunning(pid: number): boolean {
  return !['Z', 'X', undefined].includes(statOf(pid)?.state);
}

/** The processes that descend from this one, itself not included. Linux only. */
export function descendantsOf(pid: number): readonly number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((name) => {
      const stat = statOf(Number(name));
      return stat === undefined ? [] : [{ pid: Number(name), parent: stat.parent }];
    });
  const found: number[] = [];
  const next = [pid];
  for (let parent = next.pop(); parent !== undefined; parent = next.pop()) {
    const children = all.filter((process) => process.parent === parent).map((child) => child.pid);
    found.push(...children);
    next.push(...children);
  }
  return found;
}

function statOf(pid: number): { readonly state: string; readonly parent: number } | undefined {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    const [state = '', parent = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
