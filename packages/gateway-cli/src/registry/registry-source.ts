import { CommandFailure } from '../failure.ts';

/** A place that has servers. */
export type RegistrySource =
  | { readonly kind: 'file'; readonly label: string; readonly path: string }
  /** A file at an address. */
  | { readonly kind: 'document'; readonly label: string; readonly url: URL }
  /** The address of the list of servers of a registry with an API. */
  | { readonly kind: 'api'; readonly label: string; readonly url: URL };

const API_PATH = '/v0.1/servers';

/** Returns the address of a list for an address such as `https://registry.example.com` or `https://registry.example.com/v0.1/servers`. */
const listUrl = (url: URL): URL => {
  const path = url.pathname.replace(/\/+$/u, '');
  const list = new URL(url);
  list.pathname = /\/v\d[\w.]*\/servers$/u.test(path) ? path : `${path}${API_PATH}`;
  list.search = '';
  return list;
};

/**
 * Returns the source that a person names: a URL that ends with `.json` is a file, another URL is a registry with an API, and everything else
 * is a file of this machine.
 *
 * @throws CommandFailure for a URL that is not valid
 */
export const registrySource = (text: string): RegistrySource => {
  if (!/^https?:\/\//iu.test(text)) return { kind: 'file', label: text, path: text };
  if (!URL.canParse(text)) throw new CommandFailure('refused', `${text} is not a valid URL`);
  const url = new URL(text);
  url.hash = '';
  const label = `${url.origin}${url.pathname}`;
  return url.pathname.endsWith('.json')
    ? { kind: 'document', label, url }
    : { kind: 'api', label, url: listUrl(url) };
};
