import type { IncomingMessage } from 'node:http';

/** A parsed request to the API. */
export interface ApiServerRequest {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'apply' | 'delete';
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for a request for all namespaces. */
  readonly namespace: string;
  /** The name of the object; absent for requests for the collection. */
  readonly name?: string;
  /** True for a request for the subresource `status`. */
  readonly isStatus: boolean;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

const PATH =
  /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>[^/]+)(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>[^/]+)(?:\/(?<name>[^/]+))?(?<status>\/status)?$/;

interface PathParts {
  readonly group?: string;
  readonly version: string;
  readonly namespace?: string;
  readonly resource: string;
  readonly name?: string;
  readonly status?: string;
}

const NAMED: Readonly<Record<string, ApiServerRequest['verb']>> = {
  GET: 'get',
  PUT: 'update',
  PATCH: 'apply',
  DELETE: 'delete',
};

const verbOf = (
  method: string,
  isNamed: boolean,
  isWatch: boolean,
): ApiServerRequest['verb'] | undefined => {
  if (isNamed) return NAMED[method];
  if (method === 'POST') return 'create';
  if (method !== 'GET') return undefined;
  return isWatch ? 'watch' : 'list';
};

/** Parses a request; undefined when its path or method is not of the API. */
export const apiRequestOf = ({
  url,
  method,
  headers,
}: IncomingMessage): ApiServerRequest | undefined => {
  const { pathname, searchParams } = new URL(url ?? '/', 'http://api.invalid');
  const parts = PATH.exec(pathname)?.groups as PathParts | undefined;
  if (parts === undefined) return undefined;
  const { group = '', version, namespace = '', resource, name, status } = parts;
  const verb = verbOf(method ?? '', name !== undefined, searchParams.get('watch') === 'true');
  if (verb === undefined) return undefined;
  return {
    verb,
    group,
    version,
    resource,
    namespace: decodeURIComponent(namespace),
    ...(name === undefined ? {} : { name: decodeURIComponent(name) }),
    isStatus: status !== undefined,
    query: searchParams,
    headers,
  };
};
