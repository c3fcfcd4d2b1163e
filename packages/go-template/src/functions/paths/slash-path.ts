/** Returns the shortest equivalent path: no `.`, no `..` that can be resolved, no doubled or trailing slash. */
export const cleanPath = (path: string): string => {
  const rooted = path.startsWith('/');
  const segments: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') segments.push(part);
    else if (segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else if (!rooted) segments.push(part);
  }
  const joined = segments.join('/');
  if (rooted) return `/${joined}`;
  return joined === '' ? '.' : joined;
};

/** Returns the last part of a path, without slashes behind it. */
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

/** Returns the ending of the last part of a path from its last dot on. */
export const pathExtension = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
};
