/** Returns an address as browsers open it: with its host in ASCII, and with escapes instead of characters that change the direction of texts. */
export const shownAddress = (address: string): string =>
  URL.canParse(address) ? new URL(address).href : address;
