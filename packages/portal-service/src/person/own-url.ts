/** Sign-ins that are not finished keep the address: it is bounded, and has room for the longest toolset. */
const MAX_CHARS = 8_192;

/**
 * Returns an address of the portal; its first page for any other, so that a link to the sign-in leads to no other site, for one that is too
 * long, and for the paths of the sign-in itself, which would lead to each other.
 */
export const ownUrl = (publicUrl: URL, path: string): URL => {
  const url = URL.canParse(path, publicUrl.href) ? new URL(path, publicUrl) : undefined;
  const isOwn =
    url?.origin === publicUrl.origin &&
    url.pathname.startsWith(publicUrl.pathname) &&
    !url.pathname.startsWith(`${publicUrl.pathname}auth/`) &&
    url.href.length <= MAX_CHARS;
  return isOwn ? url : publicUrl;
};
