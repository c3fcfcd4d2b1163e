/** Returns the URL at which programs of this machine reach a server that may listen on all addresses. */
export const reachableUrl = (address: string | URL): URL => {
  const url = new URL(address);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url;
};
