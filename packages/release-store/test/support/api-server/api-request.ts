import type { IncomingMessage } from 'node:http';

/** A request as the API understands it. */
export interface ApiServerRequest {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'delete';
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string;
  /** Left out: the request is about all of the resource. */
  readonly name?: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

const PATH =
  /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>[^/]+)\/namespaces\/(?<namespace>[^/]+)\/(?<resource>[^/]+)(?:\/(?<name>[^/]+))?$/;

const verbOf = (
  method: string,
  isNamed: boolean,
  isWatch: boolean,
): ApiServerRequest['verb'] | undefined => {
  if (method === 'POST') return isNamed ? undefined : 'create';
  if (method === 'PUT') return isNamed ? 'update' : undefined;
  if (method === 'DELETE') return isNamed ? 'delete' : undefined;
  if (method !== 'GET') return undefined;
  if (isNamed) return 'get';
  return isWatch ? 'watch' : 'list';
};

/** `undefined`: no path of the API. */
export const apiRequestOf = ({
  url,
  method,
  headers,
}: IncomingMessage): ApiServerRequest | undefined => {
  const { pathname, searchParams } = new URL(url ?? '/', 'http://api.invalid');
  const groups = PATH.exec(pathname)?.groups;
  if (groups === undefined) return undefined;
  const { group = '', version = '', namespace = '', resource = '' } = groups;
  const name = groups['name'];
  const verb = verbOf(method ?? '', name !== undefined, searchParams.get('watch') === 'true');
  if (verb === undefined) return undefined;
  return {
    verb,
    group,
    version,
    resource,
    namespace: decodeURIComponent(namespace),
    ...(name === undefined ? {} : { name: decodeURIComponent(name) }),
    query: searchParams,
    headers,
  };
};
