/** The path and the query of a request. */
export interface RequestTarget {
  /** As sent: no segment is resolved or decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Parses the target of a request. Every text has a target, also one that is no URL. */
export const requestTarget = (url = '/'): RequestTarget => {
  const at = url.indexOf('?');
  return at === -1
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, at), query: new URLSearchParams(url.slice(at + 1)) };
};
