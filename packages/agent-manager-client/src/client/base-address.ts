/** The page's own address, where there is a page. */
const pageAddress = (): string | undefined =>
  (globalThis as { readonly location?: { readonly href?: string } }).location?.href;

/**
 * An address in front of which routes can be put, without a slash at its end.
 *
 * @throws {TypeError} when it is not an address of HTTP, or has credentials, a query or a fragment
 */
export const baseAddress = (given: string): string => {
  const { protocol, username, password, search, hash, origin, pathname } = new URL(
    given,
    pageAddress(),
  );
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`baseUrl must be an address of http or https, not ${protocol}`);
  if ([username, password, search, hash].some((part) => part !== ''))
    throw new TypeError('baseUrl must be without credentials, query and fragment');
  return origin + pathname.replace(/\/+$/, '');
};
