/**
 * Returns true when the resource identifier of metadata covers a server: the same origin, and a path that is the path of the server or ends at
 * a segment before it. Metadata in the root form describes a whole origin. RFC 9728 §3.3
 */
export const resourceCovers = (resource: string, server: URL): boolean => {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname, search } = new URL(resource);
  if (origin !== server.origin) return false;
  if (search !== '' && search !== server.search) return false;
  const base = pathname.endsWith('/') ? pathname : `${pathname}/`;
  return `${server.pathname}/`.startsWith(base) || server.pathname === pathname;
};
