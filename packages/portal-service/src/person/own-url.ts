/** Returns an address of the portal; its first page for any other, so that a link to the sign-in leads to no other site. */
export const ownUrl = (publicUrl: URL, path: string): URL => {
  const url = URL.canParse(path, publicUrl.href) ? new URL(path, publicUrl) : undefined;
  const isOwn = url?.origin === publicUrl.origin && url.pathname.startsWith(publicUrl.pathname);
  return isOwn ? url : publicUrl;
};
