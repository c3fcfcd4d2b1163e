import process from 'node:process';

/** The facts of a file that decide who can read it, as `fs.Stats` has them. */
export interface FileAccess {
  readonly mode: number;
  readonly uid: number;
}

/** All permissions but reading and writing by the owner. */
const FURTHER_BITS = 0o177;
const GROUP_READ = 0o040;
const ROOT = 0;

/**
 * Returns whether only the user of this process can access a file, with mode 0600 or 0400. A file of `root` may also be readable by its group
 * when the process has another user, which could not read it otherwise: Kubernetes mounts Secrets like that in pods with `fsGroup`. Windows reports
 * no such modes; there the result is true.
 *
 * @param user the user of the process; `undefined` on Windows
 */
export const isPrivateFile = (
  { mode, uid }: FileAccess,
  user: number | undefined = process.getuid?.(),
): boolean => {
  if (user === undefined) return true;
  const isOfRoot = uid === ROOT && user !== ROOT;
  return (mode & FURTHER_BITS & ~(isOfRoot ? GROUP_READ : 0)) === 0;
};
