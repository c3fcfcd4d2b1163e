/** Returns the shortest equivalent path: no `.`, no `..` that can be resolved, no doubled or trailing slash. */
export const cleanPath = (path: string): string => {
  const rooted = path.startsWith('/');
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!rooted) kept.push(part);
  }
  const joined = kept.join('/');
  if (rooted) return `/${joined}`;
  return joined === '' ? '.' : joined;
};

/** The last part of a path, without slashes behind it. */
export const basePath = (path: string): string => {
  if (path === '') return '.';
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  if (end === 0) return '/';
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
};

/** Returns the cleaned path without its last part. */
export const dirPath = (path: string): string =>
  cleanPath(path.slice(0, path.lastIndexOf('/') + 1));

/** The ending of the last part of a path from its last dot on. */
export const pathExtension = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
};
