/** A message of a tab to the other tabs of the portal in the browser. */
export type TabMessage =
  { readonly kind: 'person'; readonly id: string } | { readonly kind: 'signed-out' };

/** Portals under other paths of the origin have other persons. */
const channelName = (): string => `portal ${document.baseURI}`;

/** Informs the other tabs. */
export const informTabs = (message: TabMessage): void => {
  const channel = new BroadcastChannel(channelName());
  channel.postMessage(message);
  channel.close();
};

/** Follows the messages of other tabs, and returns the function that ends it. */
export const followTabs = (listener: (message: TabMessage) => void): (() => void) => {
  const channel = new BroadcastChannel(channelName());
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => listener(data);
  return () => channel.close();
};
